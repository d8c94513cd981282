const SHARED = [
  "Glovebox runs Python in a sandbox: no network, nothing of the host but the files it is given. Variables, imports and files",
  "stay from call to call. Files are in /mnt/data; those that code makes can be read as resources, and figures come back as",
  "images. Look at tables with list_csv_files and load_csv_handle, then work on them with python_repl.",
].join("\n");

const LASTING =
  "Calls without a session share one, which ends with this connection. A session that is named keeps its files.";
const PASSING =
  "A call without a session begins a new one and tells its name: give that name as session in the calls that follow.";

/** What a model is told about this server as a whole. */
export function instructionsFor({ lasting }: { lasting: boolean }): string {
  return `${SHARED}\n${lasting ? LASTING : PASSING}`;
}
