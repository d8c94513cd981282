import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { JsonSchemaType } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { allDoors, type Guest, structured } from "./doors.ts";

const doors = await allDoors();
const validator = new AjvJsonSchemaValidator();

for (const door of doors) {
  describe(`By ${door.name}`, { timeout: 300_000 }, () => {
    let guest: Guest;
    before(async () => {
      guest = await door.enter();
    });

    test("the revision is the one that was asked for", () => {
      assert.equal(guest.client.getNegotiatedProtocolVersion(), door.revision);
    });

    test("every tool has a title, hints, and schemas with an object at their root", async () => {
      const { tools } = await guest.client.listTools();
      assert.deepEqual(
        tools.map(({ name, title, annotations, inputSchema, outputSchema }) => ({
          name,
          title,
          hints: [
            annotations?.readOnlyHint,
            annotations?.destructiveHint,
            annotations?.idempotentHint,
            annotations?.openWorldHint,
          ],
          roots: [inputSchema.type, outputSchema?.type],
        })),
        [
          offered("python_repl", "Run Python", [false, true, false, false]),
          offered("list_csv_files", "List tables", [true, false, true, false]),
          offered("load_csv_handle", "Load a table", [false, false, true, false]),
          offered("list_variables", "List variables", [true, false, true, false]),
          offered("put_file", "Put a file", [false, true, true, false]),
          offered("interrupt_session", "Stop the running code", [false, false, true, false]),
          offered("reset_session", "Begin with a fresh Python", [false, true, true, false]),
          offered("save_note", "Save a note", [false, false, false, false]),
          offered("search_notes", "Search notes", [true, false, true, false]),
        ],
      );
    });

    test("variables stay from call to call, and the text is the structured content", async () => {
      await guest.call("python_repl", { code: "x = 40" });
      const result = await guest.call("python_repl", { code: "x + 2" });
      const { kind, repr, json } = structured(result);
      assert.deepEqual(
        { kind, repr, json, isError: result.isError },
        { kind: "object", repr: "42", json: 42, isError: false },
      );
      assert.deepEqual(result.content, [{ type: "text", text: JSON.stringify(result.structuredContent) }]);
    });

    test("results of every kind agree with the output schema", async () => {
      const cells = {
        text: "print('hello')",
        dataframe: "import pandas as pd; pd.DataFrame({'a': [1, 2], 'b': ['x', None]})",
        object: "{'a': float('nan'), 'b': {1, 2}}",
        error: "1 / 0",
      };
      for (const [kind, code] of Object.entries(cells)) {
        const result = await guest.call("python_repl", { code });
        assert.equal(structured(result).kind, kind);
        assert.equal(result.isError, kind === "error");
        await assertConforms(guest, "python_repl", result.structuredContent);
      }
    });

    test("what is too long is cut, says so, and still agrees with the output schema", async () => {
      const cells = [
        "import pandas as pd; pd.DataFrame({f'column {i}': ['y' * 300] * 50 for i in range(300)})",
        "[{'key': 'z' * 50}] * 5000",
        "print('line\\n' * 50_000)",
      ];
      for (const code of cells) {
        const result = await guest.call("python_repl", { code });
        const told = JSON.stringify(result.structuredContent);
        assert.ok(Buffer.byteLength(told) <= 8 * 1024, `${Buffer.byteLength(told)} bytes`);
        assert.match(String(structured(result).cut), /This is a part/);
        assert.ok(result.content.length <= 40);
        await assertConforms(guest, "python_repl", result.structuredContent);
      }
    });

    test("a figure is an image, and its file a link that can be read", async () => {
      const result = await guest.call("python_repl", {
        code: "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()",
      });
      const [, image, link] = result.content;
      assert.ok(image?.type === "image" && link?.type === "resource_link");
      assert.deepEqual([image.mimeType, link.mimeType], ["image/png", "image/png"]);
      const { contents } = await guest.client.readResource({ uri: link.uri });
      assert.deepEqual(contents, [{ uri: link.uri, mimeType: "image/png", blob: image.data }]);
      assert.equal(Buffer.from(image.data, "base64").subarray(1, 4).toString(), "PNG");
    });

    test("files can be listed and read as resources", async () => {
      const made = await guest.call("python_repl", {
        code: "import os; os.makedirs('für dich', exist_ok=True); open('für dich/50 % & mehr?.txt', 'w').write('grüße'); None",
      });
      const link = made.content.find((block) => block.type === "resource_link");
      assert.ok(link);
      const { resources } = await guest.client.listResources();
      const listed = resources.find(({ name }) => name === "für dich/50 % & mehr?.txt");
      assert.deepEqual([listed?.uri, listed?.mimeType, listed?.size], [link.uri, "text/plain", 7]);
      const { contents } = await guest.client.readResource({ uri: link.uri });
      assert.deepEqual(contents, [{ uri: link.uri, mimeType: "text/plain", text: "grüße" }]);
      const { resourceTemplates } = await guest.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ["glovebox://sessions/{session}/files/{+path}"],
      );
    });

    test("a resource that is not there, too large or elsewhere is refused in words", async () => {
      const made = await guest.call("python_repl", {
        code: "with open('large.bin', 'wb') as file: file.truncate(5 << 20)\nopen('here.txt', 'w').close()",
      });
      const links = made.content.filter((block) => block.type === "resource_link");
      const folder = links[0]?.uri.replace(/\/[^/]*$/, "") ?? "";
      const reads = {
        [`${folder}/large.bin`]: /more than 4194304 bytes/,
        [`${folder}/gone.txt`]: /gone\.txt/,
        [`${folder}/%2e%2e/%2e%2e/etc/passwd`]: /not found/,
        [`${folder}/..%2f..%2fetc%2fpasswd`]: /not found/,
        "glovebox://sessions/s0123456789abcdef01234567/files/a.txt": /no session/,
        "glovebox://elsewhere": /not found/,
        "file:///etc/passwd": /not found/,
      };
      for (const [uri, message] of Object.entries(reads)) {
        await assert.rejects(guest.client.readResource({ uri }), { code: -32602, message });
      }
    });

    test("clients that listen are told when a cell makes files", async () => {
      const changed = Promise.withResolvers<void>();
      const listener = await door.enter({
        listChanged: { resources: { autoRefresh: false, onChanged: () => changed.resolve() } },
      });
      await listener.call("python_repl", { code: "open('news.txt', 'w').write('x')" });
      await changed.promise;
    });

    test("what a cell prints is told while it runs", async () => {
      const firstSeen = Promise.withResolvers<void>();
      const going = guest.call(
        "python_repl",
        {
          code: "import os, time\nprint('begun', flush=True)\nwhile not os.path.exists('go'): time.sleep(0.05)\nprint('done')",
        },
        {
          onprogress: ({ message }) => {
            if (message === "begun") firstSeen.resolve();
          },
        },
      );
      await firstSeen.promise;
      // It waits for a file that only comes because the first line was told.
      await guest.call("put_file", { name: "go", text: "" });
      assert.equal(structured(await going).text, "begun\ndone\n");
    });

    test("a cancelled call interrupts its cell, and the session lives", async () => {
      const cancel = new AbortController();
      await guest.call("python_repl", { code: "before = 'still here'" });
      const running = guest.call(
        "python_repl",
        { code: "during = 1\nprint('running', flush=True)\nwhile True: pass" },
        { signal: cancel.signal, onprogress: ({ message }) => message === "running" && cancel.abort() },
      );
      await assert.rejects(running);
      const after = await guest.call("python_repl", { code: "(before, during)" });
      assert.deepEqual(structured(after).json, ["still here", 1]);
    });

    test("another call stops the running code", async () => {
      const begun = Promise.withResolvers<void>();
      await guest.call("python_repl", { code: "kept = 5" });
      const running = guest.call(
        "python_repl",
        { code: "print('running', flush=True)\nwhile True: pass" },
        { onprogress: ({ message }) => message === "running" && begun.resolve() },
      );
      await begun.promise;
      await guest.call("interrupt_session");
      const result = await running;
      assert.deepEqual([structured(result).name, result.isError], ["KeyboardInterrupt", true]);
      assert.equal(structured(await guest.call("python_repl", { code: "kept" })).json, 5);
    });

    test("a reset takes the variables and leaves the files", async () => {
      await guest.call("python_repl", { code: "lost = 1; open('left.txt', 'w').write('left'); None" });
      const reset = await guest.call("reset_session");
      assert.deepEqual(structured(reset).json, { reset: true });
      const result = await guest.call("python_repl", {
        code: "('lost' in globals(), open('left.txt').read())",
      });
      assert.deepEqual(structured(result).json, [false, "left"]);
    });

    test("a file that is put can be listed and loaded as a table", async () => {
      const csv = "region;amount\nnorth;1,5\nsouth;2,5\n";
      const put = await guest.call("put_file", { name: "raw/sales.csv", text: csv });
      assert.deepEqual(structured(put).json, { path: "/mnt/data/raw/sales.csv", bytes: csv.length });
      const again = await guest.call("put_file", {
        name: "sales.gz",
        base64: Buffer.from([31, 139, 0]).toString("base64"),
      });
      assert.deepEqual(structured(again).json, { path: "/mnt/data/sales.gz", bytes: 3 });
      const listed = await guest.call("list_csv_files");
      await assertConforms(guest, "list_csv_files", listed.structuredContent);
      const { files } = structured(listed).json as { files: { name: string; path: string; bytes: number }[] };
      const sales = files.find(({ path }) => path === "raw/sales.csv");
      assert.deepEqual([sales?.name, sales?.bytes], ["sales", csv.length]);
      const loaded = await guest.call("load_csv_handle", { name: "sales", df_name: "sales" });
      const { kind, columns, head } = structured(loaded);
      assert.deepEqual(
        { kind, columns, head },
        {
          kind: "dataframe",
          columns: ["region", "amount"],
          head: [
            ["north", 1.5],
            ["south", 2.5],
          ],
        },
      );
      await assertConforms(guest, "load_csv_handle", loaded.structuredContent);
      const variables = await guest.call("list_variables");
      await assertConforms(guest, "list_variables", variables.structuredContent);
      const names = (structured(variables).json as { variables: { name: string }[] }).variables;
      assert.ok(names.some(({ name }) => name === "sales"));
    });

    test("notes are found again", async () => {
      const text = `Revenue is net of VAT, by ${door.name}`;
      const saved = await guest.call("save_note", { text });
      await assertConforms(guest, "save_note", saved.structuredContent);
      const found = await guest.call("search_notes", { query: "revenue" });
      await assertConforms(guest, "search_notes", found.structuredContent);
      const { notes } = structured(found).json as { notes: { text: string }[] };
      assert.ok(notes.some((note) => note.text === text));
    });

    test("arguments that do not fit are told as an error that the model can mend", async () => {
      const calls: [string, Record<string, unknown>, string][] = [
        ["python_repl", {}, "BadArguments"],
        ["python_repl", { code: 5 }, "BadArguments"],
        ["python_repl", { code: "1", surprise: true }, "BadArguments"],
        ["python_repl", { code: "1", session: "../../etc" }, "BadArguments"],
        ["python_repl", { code: "1", session: 7 }, "BadArguments"],
        ["python_repl", { code: "1", session: "owner_0123456789abcdef_x" }, "BadArguments"],
        ["python_repl", { code: "1", session: "s0123456789abcdef01234567" }, "ToolFailed"],
        ["python_repl", { code: "1", session: "cntr_0123" }, "ToolFailed"],
        ["put_file", { name: "../x", text: "" }, "ToolFailed"],
        ["put_file", { name: "x" }, "ToolFailed"],
        ["put_file", { name: "x", base64: "not base64!" }, "ToolFailed"],
        ["load_csv_handle", { name: "nothing", df_name: "df" }, "UnknownTable"],
      ];
      for (const [tool, args, name] of calls) {
        const result = await guest.call(tool, args);
        assert.deepEqual([structured(result).name, result.isError], [name, true], JSON.stringify(args));
        await assertConforms(guest, tool, result.structuredContent);
      }
    });

    test("a tool that there is not is an error of the protocol", async () => {
      await assert.rejects(guest.client.callTool({ name: "rm_rf", arguments: {} }), {
        code: -32602,
        message: /There is no tool "rm_rf"/,
      });
    });

    test("two clients do not see each other's variables and files", async () => {
      const other = await door.enter();
      await guest.call("python_repl", { code: "secret = 1; open('secret.txt', 'w').write('x')" });
      const seen = await other.call("python_repl", {
        code: "import os; ('secret' in globals(), os.listdir())",
      });
      assert.deepEqual(structured(seen).json, [false, []]);
    });

    test("a session that is named keeps its files", async () => {
      const first = await door.enter();
      await first.call("python_repl", {
        session: "quarterly",
        code: "total = 7; open('total.txt', 'w').write('7')",
      });
      const within = await first.call("python_repl", { session: "quarterly", code: "total" });
      assert.equal(structured(within).json, 7);
      await first.client.close();
      const second = await door.enter();
      const kept = await second.call("python_repl", {
        session: "quarterly",
        code: "open('total.txt').read()",
      });
      assert.equal(structured(kept).json, "7");
    });
  });
}

function offered(name: string, title: string, hints: boolean[]) {
  return { name, title, hints, roots: ["object", "object"] };
}

async function assertConforms(guest: Guest, tool: string, content: unknown): Promise<void> {
  const { tools } = await guest.client.listTools();
  const schema = tools.find(({ name }) => name === tool)?.outputSchema;
  assert.ok(schema);
  const { valid, errorMessage } = validator.getValidator(schema as JsonSchemaType)(content);
  assert.ok(valid, `${errorMessage}`);
}
