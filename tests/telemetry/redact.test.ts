import assert from "node:assert/strict";
import { test } from "node:test";
import { redactor } from "../../src/telemetry/redact.ts";

const redact = redactor({});

/** Put together here, so that nobody who scans this file takes them for real ones. */
const key = (prefix: string, length = 36) => `${prefix}${"aB3".repeat(20).slice(0, length)}`;

test("Keys of the usual shapes are taken out wherever they stand", () => {
  const keys = [
    key("sk-"),
    key("sk-proj-"),
    key("sk-ant-api03-"),
    key("sk_live_"),
    key("ghp_"),
    key("gho_"),
    key("github_pat_"),
    key("glpat-"),
    `AKIA${"ABCD2345".repeat(2)}`,
    key("xoxb-"),
    key("AIza", 35),
    key("hf_"),
    `${key("eyJ", 20)}.${key("eyJ", 30)}.${key("x", 43)}`,
  ];
  for (const secret of keys) {
    assert.equal(
      redact(`print("${secret}"); f(${secret}, 1)`),
      'print("[redacted]"); f([redacted], 1)',
      secret,
    );
  }
});

test("Private keys go whole, even when they are cut off", () => {
  const begin = "-----BEGIN RSA PRIVATE KEY-----";
  assert.equal(redact(`a\n${begin}\nMIIEpA\n-----END RSA PRIVATE KEY-----\nb`), "a\n[redacted]\nb");
  assert.equal(redact(`a\n${begin}\nMIIEpA`), "a\n[redacted]");
});

test("What is assigned to a name that says it is secret goes, and the rest of the line stays", () => {
  const lines: [string, string][] = [
    ["password=hunter2&x=1", "password=[redacted]&x=1"],
    ["PASSWORD: hunter2", "PASSWORD: [redacted]"],
    ["db_password = 'it\\'s', y = 2", "db_password = '[redacted]', y = 2"],
    ["{'secret': 'a b', 'n': 2}", "{'secret': '[redacted]', 'n': 2}"],
    ['{"api_key":"abc","n":2}', '{"api_key":"[redacted]","n":2}'],
    ['{\\"token\\": \\"abc\\"}', '{\\"token\\": \\"[redacted]\\"}'],
    ["os.environ['API_KEY'] = \"v\"", "os.environ['API_KEY'] = \"[redacted]\""],
    ["AWS_SECRET_ACCESS_KEY=abc/def+1", "AWS_SECRET_ACCESS_KEY=[redacted]"],
    ['token = """a\nb""" + c', 'token = """[redacted]""" + c'],
    ["password='cut off", "password='[redacted]"],
    ["connect(user='joe', pwd=f'x{y}')", "connect(user='joe', pwd=f'[redacted]')"],
    ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
    ['{"Authorization": "Basic dTpw"}', '{"Authorization": "Basic [redacted]"}'],
    ["h['Authorization'] = 'token 12345'", "h['Authorization'] = 'token [redacted]'"],
    ["curl -H 'X: Bearer abcdefgh12345'", "curl -H 'X: Bearer [redacted]'"],
    ["postgres://joe:pa55@host/db", "postgres://joe:[redacted]@host/db"],
    ["redis://:pa55@host", "redis://:[redacted]@host"],
  ];
  for (const [given, expected] of lines) assert.equal(redact(given), expected);
});

test("Ordinary code stays as it is", () => {
  const lines = [
    "df.groupby('key').mean()",
    "model.generate(max_tokens=500)",
    "tokens: 12",
    "token = None",
    "if password == other: pass",
    "def login(password: str, token: str = ''):",
    "import secrets",
    "compass = 5",
    "https://example.com:8080/a@b",
    "Bearer market of 2008",
    "risk-management-of-the-world-economy",
  ];
  for (const line of lines) assert.equal(redact(line), line);
});

test("Secrets of the host's environment are known by their names", () => {
  const ours = redactor({
    MY_API_KEY: "zebra-crossing",
    DB_PASSWORD: "zebra-crossing-42",
    HOME_TOWN: "Springfield",
    SSH_AUTH_SOCK: "/run/agent.sock",
    KEY_COUNT: "12345678",
    AUTH_MODE: "disabled",
    SIGNING_KEY: "k3y-of-the-house",
    SHORT_TOKEN: "abc",
  });
  assert.equal(
    ours(
      "zebra-crossing-42 zebra-crossing k3y-of-the-house Springfield /run/agent.sock 12345678 disabled abc",
    ),
    "[redacted] [redacted] [redacted] Springfield /run/agent.sock 12345678 disabled abc",
  );
});
