import { type Html, html, type Part } from '../../http/html.ts';
import type { Parameter } from '../document-types.ts';
import { prose } from './html.ts';
import { asJsonSchema, type JsonSchema } from './json-schema.ts';
import { typeText } from './type-text.ts';
import type { ValueLists } from './value-lists.ts';

/** Lists the parameters of an operation. */
export function parameterList(parameters: readonly Parameter[], lists: ValueLists): Html {
  return html`<dl class="fields">${parameters.map(({ name, required, description, deprecated, example, schema }) =>
    field(
      name,
      [required ? 'required' : undefined, deprecated === true ? 'deprecated' : undefined],
      [
        html`<dd>${prose(description)}</dd>`,
        html`<dd class="type">${commaList(schema)}${typeText(asJsonSchema(schema), lists)}${defaultOf(asJsonSchema(schema))}</dd>`,
        example === undefined ? undefined : html`<dd class="type">Example: <code>${String(example)}</code></dd>`,
      ],
    ),
  )}</dl>`;
}

/** Lists the members of an object; those of nested objects by their path. */
export function memberList(schema: JsonSchema, lists: ValueLists): Html {
  return html`<dl class="fields">${membersOf(schema).map(({ path, required, member }) =>
    field(
      path,
      [required ? 'always' : undefined],
      [
        member.description === undefined ? undefined : html`<dd>${prose(member.description)}</dd>`,
        html`<dd class="type">${typeText(member, lists)}${defaultOf(member)}</dd>`,
      ],
    ),
  )}</dl>`;
}

interface Member {
  readonly path: string;
  readonly required: boolean;
  readonly member: JsonSchema;
}

function membersOf({ properties = {}, required = [] }: JsonSchema, above = ''): readonly Member[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    const entries = membersOf(member.items ?? {}, `${path}[].`);
    return [{ path, required: required.includes(name), member }, ...membersOf(member, `${path}.`), ...entries];
  });
}

function field(name: string, marks: readonly (string | undefined)[], definitions: Part): Html {
  const notes = marks.flatMap((mark) => (mark === undefined ? [] : [html` <em>${mark}</em>`]));
  return html`<div><dt><code>${name}</code>${notes}</dt>${definitions}</div>`;
}

function commaList(schema: object): Part {
  return 'items' in schema ? 'Separated by commas: ' : undefined;
}

function defaultOf({ default: value }: JsonSchema): Part {
  return value === undefined ? undefined : html`; default <code>${String(value)}</code>`;
}
