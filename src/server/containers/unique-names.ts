/** Two files of one name stand beside each other: the second of "sales.csv" is "sales-2.csv". */
export function uniqueNames<File extends { readonly name: string }>(files: readonly File[]): File[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let name = file.name;
    for (let number = 2; taken.has(name); number++) name = numbered(file.name, number);
    taken.add(name);
    return { ...file, name };
  });
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${number}${name.slice(dot)}` : `${name}-${number}`;
}
