import { type ApiDocument, type Method, methods, type Operation, type Response } from '../document.ts';
import { exampleOf } from './example.ts';
import { parameterList } from './fields.ts';
import { type Html, html, type Part, prose } from './html.ts';
import { shown, typeText } from './shown-schema.ts';
import type { ValueLists } from './value-lists.ts';

/** One way of calling one path. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
}

/** The operations of a document that stand under a tag. */
export function operationsOf({ paths }: ApiDocument, tag: string): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      return operation?.tags.includes(tag) ? [{ path, method, operation }] : [];
    }),
  );
}

/** All about one operation. */
export function operationSection(document: ApiDocument, placed: PlacedOperation, lists: ValueLists): Html {
  const { path, method, operation } = placed;
  const { operationId: id, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const answers = Object.entries(responses).flatMap(([status, response]) => answer(status, response, lists));
  return html`
<section aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></a></h3>
<p>${prose(description)}</p>
${parameters.length === 0 ? undefined : html`<h4>Parameters</h4>${parameterList(parameters, lists)}`}
${body === undefined ? undefined : html`<h4>Body</h4><p>${typeText(shown(body), lists)}</p>`}
<h4>Answers</h4>
<ul>${answers}</ul>
<h4>Example</h4>
<pre tabindex="0"><code>${exampleOf(document, path, method, operation)}</code></pre>
</section>`;
}

/** An answer by its status. What all endpoints may answer is told once, under Errors. */
function answer(status: string, response: Response, lists: ValueLists): readonly Part[] {
  if (response.description === undefined) return [];
  const [content] = Object.values(response.content ?? {});
  const { allOf, ...schema } = shown(content?.schema ?? {});
  const shape = allOf?.[0] ?? schema;
  const named = shape.$ref ?? shape.anyOf;
  return [
    html`<li><strong>${status}</strong> ${prose(response.description)} ${
      named === undefined ? undefined : html`<span class="type">${typeText(shape, lists)}</span>`
    }</li>`,
  ];
}
