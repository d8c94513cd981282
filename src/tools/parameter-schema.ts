import { z } from "zod";
import { GloveboxError } from "../errors.ts";
import type { JsonSchema } from "../protocol/tool-specs.ts";

const MOST_CHARACTERS = 8 * 1024;
const MOST_LEVELS = 12;
const MOST_PARAMETERS = 32;

const Type = z.enum(["string", "number", "integer", "boolean", "array", "object", "null"]);
const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const count = z.number().int().nonnegative().optional();
const bound = z.number().optional();

/**
 * The part of JSON Schema that is checked on the host. Patterns and references are left out: a pattern can be made
 * to run for ever, and references can be made to unfold without end.
 */
function schemaAt(level: number): z.ZodType<Record<string, unknown>> {
  const inner = z.lazy(() =>
    level < MOST_LEVELS ? schemaAt(level + 1) : z.never({ error: `nests deeper than ${MOST_LEVELS} levels` }),
  );
  return z.strictObject(
    {
      type: z.union([Type, z.array(Type).min(1)]).optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      default: z.unknown().optional(),
      examples: z.array(z.unknown()).optional(),
      enum: z.array(Plain).min(1).optional(),
      const: Plain.optional(),
      anyOf: z.array(inner).min(1).optional(),
      oneOf: z.array(inner).min(1).optional(),
      allOf: z.array(inner).min(1).optional(),
      properties: z.record(z.string(), inner).optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: z.union([z.boolean(), inner]).optional(),
      minProperties: count,
      maxProperties: count,
      items: inner.optional(),
      prefixItems: z.array(inner).optional(),
      minItems: count,
      maxItems: count,
      uniqueItems: z.boolean().optional(),
      minLength: count,
      maxLength: count,
      format: z.string().optional(),
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: z.number().positive().optional(),
      $schema: z.string().optional(),
      $comment: z.string().optional(),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `${issue.keys.map((key) => `"${key.slice(0, 40)}"`).join(", ")} is not supported; check that in the code instead`
          : undefined,
    },
  );
}

/** A name that every object inherits would be found in arguments that leave it out. */
const ParameterName = z
  .string()
  .regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}$/)
  .refine((name) => !(name in Object.prototype));

const Root = schemaAt(0).pipe(
  z
    .looseObject({
      type: z.literal("object", { error: 'the schema is of "type": "object"' }),
      properties: z
        .record(ParameterName, z.record(z.string(), z.unknown()), {
          error: (issue) =>
            issue.code === "invalid_key"
              ? "a parameter is named like a Python variable, and not constructor, toString or the like"
              : undefined,
        })
        .default({}),
      required: z.array(z.string()).default([]),
      additionalProperties: z.literal(false).catch(false).default(false),
    })
    .refine(({ properties }) => Object.keys(properties).length <= MOST_PARAMETERS, {
      error: `a tool takes at most ${MOST_PARAMETERS} parameters`,
    })
    .refine(({ properties, required }) => required.every((name) => Object.hasOwn(properties, name)), {
      error: "every name in required is one of properties",
    }),
);
export type ParameterSchema = z.infer<typeof Root>;

/** Reads the JSON Schema of a tool's parameters; what it does not say is left closed. */
export function readParameterSchema(given: string | JsonSchema): ParameterSchema {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  if (text.length > MOST_CHARACTERS) {
    throw refused(`it is ${text.length} characters long; ${MOST_CHARACTERS} are allowed`);
  }
  const read = Root.safeParse(parseJson(text));
  if (!read.success) throw refused(z.prettifyError(read.error).slice(0, 1500));
  return read.data;
}

/** The parser of a call's arguments. */
export function argumentsParser(schema: ParameterSchema): z.ZodType<Record<string, unknown>> {
  try {
    // A registry of its own: the ids in a schema that a model wrote are nobody else's.
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, {
      registry: z.registry(),
    }) as unknown as z.ZodType<Record<string, unknown>>;
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused(`it is not JSON: ${(cause as Error).message}`, cause);
  }
}

function refused(why: string, cause?: unknown): GloveboxError {
  return new GloveboxError(
    "tool",
    `The parameters cannot be used: ${why}. Give the JSON Schema of an object, like {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}.`,
    { cause },
  );
}
