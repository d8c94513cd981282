/** Whether a relative name stays below the folder it is given for: no empty, "." or ".." part and no NUL. */
export function isNameBelow(name: string): boolean {
  return (
    !name.includes("\0") && name.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
