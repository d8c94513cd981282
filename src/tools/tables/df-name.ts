import { z } from "zod";

const KEYWORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from global if " +
  "import in is lambda nonlocal not or pass raise return try while with yield";
/** Names that code relies on: a table of that name would take them away. */
const RELIED_ON =
  "pd np plt abs all any bool bytes dict dir enumerate eval exec filter float format getattr hash help id input int " +
  "isinstance iter len list map max min next object open pow print range repr reversed round set slice sorted str sum " +
  "super tuple type vars zip display get_ipython json io gzip bz2 lzma zipfile";
const taken = new Set(`${KEYWORDS} ${RELIED_ON}`.split(" "));

/** The variable that a table goes into. */
export const DfName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be a Python name: a letter, then letters, digits and _")
  .refine((name) => !taken.has(name), "has a meaning in Python already; take another name");
