import { z } from "zod";
import { filesOf, type TableHandle, tableHandles } from "./tables/handles.ts";
import { knownColumns } from "./tables/known-columns.ts";
import { tool } from "./tool.ts";

export interface ListedTable extends Pick<TableHandle, "name" | "path" | "bytes"> {
  readonly modified: string;
  readonly columns?: readonly string[];
}

const MOST_LISTED = 200;

export const listCsvFiles = tool({
  name: "list_csv_files",
  description:
    "List the tables there are in /mnt/data: CSV, TSV, text, Excel, Parquet and JSON files, packed ones too. Gives each a short " +
    "name for load_csv_handle, its path, size and age, and its columns once it has been loaded. Reads nothing.",
  parameters: z.strictObject({}),
  parallel: true,
  describe: () => ({ intent: "List the tables" }),
  async run(_, { session }) {
    const handles = tableHandles(await filesOf(session));
    const files = handles.map((handle): ListedTable => {
      const columns = knownColumns(session, handle);
      const { name, path, bytes, modified_ms } = handle;
      return {
        name,
        path,
        bytes,
        modified: new Date(modified_ms).toISOString(),
        ...(columns ? { columns } : {}),
      };
    });
    const listed = files.slice(0, MOST_LISTED);
    const left = files.length - listed.length;
    return {
      message: {
        kind: "object",
        json: { files: listed },
        ...(left > 0
          ? { notice: `${left} more tables are not listed; find them with python_repl: os.walk("/mnt/data")` }
          : {}),
      },
      value: files,
      success: true,
    };
  },
});
