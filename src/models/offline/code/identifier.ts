const TAKEN = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield match case type " +
    "pd np plt sns json re math os sys stats data print list dict set str int float bool len sum min max abs all any map " +
    "filter zip range sorted open input id hash next iter format object bytes tuple vars dir help exit quit display"
  ).split(" "),
);

/** A variable's name for a table, made of its handle; never one that Python or our own code uses. */
export function identifierFor(handle: string, taken: ReadonlySet<string> = new Set()): string {
  const plain = handle
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase()
    .slice(0, 40);
  const named =
    plain === "" || /^\d/.test(plain) || TAKEN.has(plain) ? `table_${plain}`.replace(/_$/, "") : plain;
  for (let again = 2, name = named; ; again++) {
    if (!taken.has(name)) return name;
    name = `${named}_${again}`;
  }
}

/** A name for a file, made of column names and values. */
export function slug(...parts: readonly string[]): string {
  const plain = (part: string) =>
    part
      .replaceAll("ß", "ss")
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^a-zA-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .toLowerCase()
      .slice(0, 40);
  return parts.map(plain).filter(Boolean).join("_").slice(0, 90) || "chart";
}
