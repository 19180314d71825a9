/** The keywords of JSON Schema that the page describes. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/**
 * Returns a schema of a document with the type {@link JsonSchema}, which has every keyword that the schemas of this
 * service use.
 */
export function asJsonSchema(schema: unknown): JsonSchema {
  return schema as JsonSchema;
}
