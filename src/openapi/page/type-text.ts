import { html, join, type Part } from '../../http/html.ts';
import type { JsonSchema } from './json-schema.ts';
import type { ValueLists } from './value-lists.ts';

/** Describes the values that a schema allows. */
export function typeText(schema: JsonSchema, lists: ValueLists): Part {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return join(each(schema.anyOf, lists), ' or ');
  if (schema.allOf !== undefined) return join(each(schema.allOf, lists), ' and ');
  if (schema.enum !== undefined) return ['one of ', lists.valuesOrLink(schema.enum)];
  if (schema.items !== undefined) return ['list of ', typeText(schema.items, lists)];
  return [schema.format ?? schema.type ?? 'anything', bounds(schema)];
}

function each(schemas: readonly JsonSchema[], lists: ValueLists): readonly Part[] {
  return schemas.map((schema) => typeText(schema, lists));
}

function bounds({ minimum, maximum, maxLength, pattern }: JsonSchema): Part {
  if (pattern !== undefined) return html` like <code>${pattern}</code>`;
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? undefined : `, ${minimum} or more`;
}
