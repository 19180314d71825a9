import { type Html, html, type Part } from '../../http/html.ts';
import { type ApiDocument, type Method, methods, type Operation, type Response } from '../document-types.ts';
import { exampleOf } from './example.ts';
import { parameterList } from './fields.ts';
import { prose } from './html.ts';
import { asJsonSchema } from './json-schema.ts';
import { typeText } from './type-text.ts';
import type { ValueLists } from './value-lists.ts';

/** An operation with its path and method. */
interface PathOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
}

/** Returns the operations of a document with a tag. */
export function operationsOf({ paths }: ApiDocument, tag: string): readonly PathOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      return operation?.tags.includes(tag) ? [{ path, method, operation }] : [];
    }),
  );
}

/** Returns the section of one operation. */
export function operationSection(
  document: ApiDocument,
  { path, method, operation }: PathOperation,
  lists: ValueLists,
): Html {
  const { operationId: id, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const items = Object.entries(responses).flatMap(([status, response]) => responseItem(status, response, lists));
  return html`
<section aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></a></h3>
<p>${prose(description)}</p>
${parameters.length === 0 ? undefined : html`<h4>Parameters</h4>${parameterList(parameters, lists)}`}
${body === undefined ? undefined : html`<h4>Body</h4><p>${typeText(asJsonSchema(body), lists)}</p>`}
<h4>Responses</h4>
<ul>${items}</ul>
<h4>Example</h4>
<pre tabindex="0"><code>${exampleOf(document, path, method, operation)}</code></pre>
</section>`;
}

/** Describes a response. Responses that all operations have in common are listed once, under Errors. */
function responseItem(status: string, response: Response, lists: ValueLists): readonly Part[] {
  if (response.description === undefined) return [];
  const [content] = Object.values(response.content ?? {});
  const { allOf, ...schema } = asJsonSchema(content?.schema ?? {});
  const shape = allOf?.[0] ?? schema;
  const hasName = shape.$ref !== undefined || shape.anyOf !== undefined;
  return [
    html`<li><strong>${status}</strong> ${prose(response.description)} ${
      hasName ? html`<span class="type">${typeText(shape, lists)}</span>` : undefined
    }</li>`,
  ];
}
