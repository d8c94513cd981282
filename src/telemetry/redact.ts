const GONE = "[redacted]";

/** Keys and tokens that are known by their shape. Every repetition is bounded or of one class, so each takes linear time. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/gs,
  /\b(?:sk|rk|pk)[-_](?:[a-z]{2,10}[-_]){0,3}[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/g,
  /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:hf|npm|pypi|gsk|xai|dop_v1|tvly|r8)[-_][A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
];

/** Words with dots between them; each is read once, from its beginning. */
const DOTTED = /(?<![\w-])[\w-]+(?:\.[\w-]*)+/g;
/** The first part of a signed token: the JSON of its header begins so. */
const TOKEN_HEADER = /(?<![A-Za-z0-9])eyJ[\w-]{8}/;
const LEAST_PAYLOAD = 8;

/** What stands behind these is a secret; what stands before it stays. */
const BEHIND: readonly RegExp[] = [
  /(\bauthorization\\{0,3}["']?\]?\s{0,4}[:=,]\s{0,4}\\{0,3}["']?(?:(?:bearer|basic|token|digest)\s{1,4})?)[^\s"'\\,;)}\]]{4,}/gi,
  /(\b(?:bearer|basic)\s{1,4})[A-Za-z0-9._~+/=-]{12,}/gi,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:"'<>]{0,200}:)[^\s/@"'<>]{1,400}(?=@)/gi,
];

const SECRET_WORD =
  "(?:password|passwd|passphrase|(?<![a-z])pass|pwd|secret(?:[_-]?(?:access)?[_-]?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|encryption[_-]?key|credentials?)";
/** A name that ends in such a word, "=" or ":", and a value: quoted up to its quote, or bare up to a separator. */
const ASSIGNED = new RegExp(
  [
    `(?<name>${SECRET_WORD}\\d{0,3}\\\\{0,3}["']?\\]?\\s{0,4}(?:=>|[:=])\\s{0,4})`,
    `(?:(?<open>[bfru]{0,2}(?<quote>"""|'''|\\\\{1,3}["']|["']))(?:(?!\\k<quote>)(?:\\\\[^]|[^\\\\])){1,4096}`,
    `|(?<bare>[^\\s"'\\\\,;&)}\\]]+))`,
  ].join(""),
  "gi",
);
const HARMLESS = /^(?:true|false|none|null|undefined|str|string|bytes|=.*|\[redacted)$/i;

const SECRET_NAME = /token|secret|passw|pwd|credential|(?:api|access|private)_?key/i;
/** Names of secrets and of other things: of these a secret is what has letters and digits. */
const PERHAPS_SECRET_NAME = /key|auth|dsn|connection_string/i;
const LEAST_SECRET = 8;

export type Redact = (text: string) => string;

/** Takes out what looks like a secret, and the secrets of the host's own environment wherever they turn up. */
export function redactor(env: NodeJS.ProcessEnv = process.env): Redact {
  const own = secretsOf(env);
  return (text) => {
    let told = text;
    for (const secret of own) told = told.replaceAll(secret, GONE);
    for (const shape of SHAPES) told = told.replace(shape, GONE);
    told = told.replace(DOTTED, withoutToken);
    for (const behind of BEHIND) told = told.replace(behind, `$1${GONE}`);
    return told.replace(ASSIGNED, withoutValue);
  };
}

/** A signed token ends the word that it is in. */
function withoutToken(word: string): string {
  const parts = word.split(".");
  const header = parts.findIndex(
    (part, index) => (parts[index + 1]?.length ?? 0) >= LEAST_PAYLOAD && TOKEN_HEADER.test(part),
  );
  if (header < 0) return word;
  const begun = parts[header]?.slice(0, parts[header]?.search(TOKEN_HEADER)) ?? "";
  return [...parts.slice(0, header), `${begun}${GONE}`].join(".");
}

interface Assigned {
  readonly name: string;
  readonly open?: string;
  readonly bare?: string;
}

function withoutValue(whole: string, ...found: unknown[]): string {
  const { name, open, bare } = found.at(-1) as Assigned;
  if (bare !== undefined && HARMLESS.test(bare)) return whole;
  return `${name}${open ?? ""}${GONE}`;
}

/** The longest first, so that none leaves a part of another. Paths, switches and numbers are no secrets. */
function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .map(([name, value]) => [name, value?.trim() ?? ""] as const)
    .filter(([name, value]) => SECRET_NAME.test(name) || (PERHAPS_SECRET_NAME.test(name) && isMixed(value)))
    .map(([, value]) => value)
    .filter((value) => value.length >= LEAST_SECRET && !/^(?:[./~]|\d+$)/.test(value))
    .sort((a, b) => b.length - a.length);
}

function isMixed(value: string): boolean {
  return /[a-z]/i.test(value) && /\d/.test(value);
}
