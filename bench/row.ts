import type { Summary } from "./statistics.ts";

export const contenderNames = [
  "glovebox",
  "ipykernel",
  "ipykernel-interactive",
  "bwrap python",
  "python",
] as const;
export type ContenderName = (typeof contenderNames)[number];

/** The same kernel, asked in two ways: the quickest that there is, and the one that its library documents. */
export const headings: Readonly<Partial<Record<ContenderName, string>>> = {
  ipykernel: "ipykernel, channels read by hand",
  "ipykernel-interactive": "ipykernel through execute_interactive",
};

export type Measured = (Summary & { readonly note?: string }) | { readonly notMeasured: string };
export type Values = Partial<Record<ContenderName, Measured>>;

export interface Row {
  readonly name: string;
  readonly what: string;
  readonly unit: "ms" | "s" | "MiB" | "/s" | "MiB/s";
  readonly values: Values;
  /** What the numbers alone do not say. */
  readonly remark?: string;
}

/** How many times Glovebox's median each peer's is. */
export function ratios(row: Row): Partial<Record<ContenderName, number>> {
  const ours = row.values.glovebox;
  if (!ours || "notMeasured" in ours) return {};
  const found = contenderNames.flatMap((name) => {
    const value = row.values[name];
    return name === "glovebox" || !value || "notMeasured" in value
      ? []
      : [[name, value.median / ours.median]];
  });
  return Object.fromEntries(found);
}
