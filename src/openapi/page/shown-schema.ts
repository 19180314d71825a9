import { html, joined, type Part } from './html.ts';
import type { ValueLists } from './value-lists.ts';

/** A JSON schema, as far as it is shown. */
export interface ShownSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly items?: ShownSchema;
  readonly anyOf?: readonly ShownSchema[];
  readonly allOf?: readonly ShownSchema[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** A schema of a document. All of them are made by this service of the keywords that {@link ShownSchema} lists. */
export function shown(schema: unknown): ShownSchema {
  return schema as ShownSchema;
}

/** What a value may be, in words. */
export function typeText(schema: ShownSchema, lists: ValueLists): Part {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return joined(each(schema.anyOf, lists), ' or ');
  if (schema.allOf !== undefined) return joined(each(schema.allOf, lists), ' and ');
  if (schema.enum !== undefined) return ['one of ', lists.show(schema.enum)];
  if (schema.items !== undefined) return ['list of ', typeText(schema.items, lists)];
  return [schema.format ?? schema.type ?? 'anything', bounds(schema)];
}

function each(schemas: readonly ShownSchema[], lists: ValueLists): readonly Part[] {
  return schemas.map((schema) => typeText(schema, lists));
}

function bounds({ minimum, maximum, maxLength, pattern }: ShownSchema): Part {
  if (pattern !== undefined) return html` like <code>${pattern}</code>`;
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? undefined : `, ${minimum} or more`;
}
