import type { Parameter } from '../document.ts';
import { type Html, html, type Part, prose } from './html.ts';
import { type ShownSchema, shown, typeText } from './shown-schema.ts';
import type { ValueLists } from './value-lists.ts';

/** The parameters of an operation. */
export function parameterList(parameters: readonly Parameter[], lists: ValueLists): Html {
  return html`<dl class="fields">${parameters.map(({ name, required, description, deprecated, example, schema }) =>
    field(
      name,
      [required ? 'required' : undefined, deprecated === true ? 'deprecated' : undefined],
      [
        html`<dd>${prose(description)}</dd>`,
        html`<dd class="type">${commaList(schema)}${typeText(shown(schema), lists)}${defaultOf(shown(schema))}</dd>`,
        example === undefined ? undefined : html`<dd class="type">Example: <code>${String(example)}</code></dd>`,
      ],
    ),
  )}</dl>`;
}

/** The members of an object, those of objects within it by their path. */
export function memberList(schema: ShownSchema, lists: ValueLists): Html {
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
  readonly member: ShownSchema;
}

function membersOf({ properties = {}, required = [] }: ShownSchema, above = ''): readonly Member[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    const entries = membersOf(member.items ?? {}, `${path}[].`);
    return [{ path, required: required.includes(name), member }, ...membersOf(member, `${path}.`), ...entries];
  });
}

function field(name: string, marks: readonly (string | undefined)[], definitions: Part): Html {
  const told = marks.flatMap((mark) => (mark === undefined ? [] : [html` <em>${mark}</em>`]));
  return html`<div><dt><code>${name}</code>${told}</dt>${definitions}</div>`;
}

function commaList(schema: object): Part {
  return 'items' in schema ? 'Separated by commas: ' : undefined;
}

function defaultOf({ default: value }: ShownSchema): Part {
  return value === undefined ? undefined : html`; default <code>${String(value)}</code>`;
}
