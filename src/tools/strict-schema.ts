import type { JsonSchema } from "../protocol/tool-specs.ts";

/** Keywords that strict function schemas do not know; the tool's own parser still holds them. */
const UNKNOWN_TO_STRICT = new Set([
  "default",
  "$schema",
  "$comment",
  "title",
  "examples",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "uniqueItems",
]);
const WITHOUT_STRICT_FORM = ["oneOf", "allOf", "prefixItems"];

/**
 * The schema as strict function calling wants it: every object closed, every property required, those that may be
 * left out nullable. What has no such form (open maps, for one) stays as it is and is not strict.
 */
export function strictForm(schema: JsonSchema): { parameters: JsonSchema; strict: boolean } {
  try {
    return { parameters: close(schema) as JsonSchema, strict: true };
  } catch (error) {
    if (!(error instanceof NoStrictForm)) throw error;
    return { parameters: schema, strict: false };
  }
}

class NoStrictForm extends Error {}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== "object" || node === null) return node;
  const given = node as Record<string, unknown>;
  if (WITHOUT_STRICT_FORM.some((key) => key in given)) throw new NoStrictForm();
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (UNKNOWN_TO_STRICT.has(key)) continue;
    kept[key] = key === "properties" ? value : close(value);
  }
  if (!includesObject(given.type)) return kept;
  if (typeof given.additionalProperties === "object" || !given.properties) {
    if (given.additionalProperties !== false) throw new NoStrictForm();
  }
  const properties = (given.properties ?? {}) as Record<string, unknown>;
  const required = new Set((given.required ?? []) as string[]);
  kept.properties = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      required.has(name) ? close(value) : nullable(close(value)),
    ]),
  );
  kept.required = Object.keys(properties);
  kept.additionalProperties = false;
  return kept;
}

function includesObject(type: unknown): boolean {
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

function nullable(node: unknown): unknown {
  const schema = node as Record<string, unknown>;
  const { type } = schema;
  if (Array.isArray(schema.enum)) return { anyOf: [schema, { type: "null" }] };
  if (typeof type === "string") return { ...schema, type: type === "null" ? type : [type, "null"] };
  if (Array.isArray(type)) return { ...schema, type: [...new Set([...type, "null"])] };
  return { anyOf: [schema, { type: "null" }] };
}
