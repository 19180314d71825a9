import { expect, test } from 'vitest';
import { plans } from '../../contract/subscription-plans.ts';
import { html, join } from '../../http/html.ts';
import type { ApiDocument } from '../document-types.ts';
import { exampleOf } from './example.ts';
import { prose } from './html.ts';
import { referencePage } from './reference-page.ts';

const parameter = (more: object) => ({ name: 'a', in: 'query', required: true, description: '', schema: {}, ...more });

/** Returns a document with one operation. */
function documentOf(operation: object, info: object = {}): ApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Title', version: '1', 'x-millrace-version': '1', description: '', ...info },
    servers: [{ url: 'https://api.example' }],
    tags: [{ name: 't', description: 'Tag' }],
    paths: {
      '/x/{id}': {
        get: { operationId: 'x', tags: ['t'], summary: '', description: '', security: [], responses: {}, ...operation },
      },
    },
    components: { schemas: {}, securitySchemes: {} },
  };
}

function example(operation: object, method = 'get'): string {
  const document = documentOf(operation);
  const pathOperation = document.paths['/x/{id}']?.get;
  if (pathOperation === undefined) throw new Error('the document has no operation');
  return exampleOf(document, '/x/{id}', method, pathOperation);
}

test('the reference page escapes untrusted text', () => {
  expect(html`<b>${'<i a="b">&\''}</b>`.text).toBe('<b>&lt;i a=&quot;b&quot;&gt;&amp;&#39;</b>');
  expect(prose('see `<a>` & so on').text).toBe('see <code>&lt;a&gt;</code> &amp; so on');
  expect(html`${join(['<', '>'], ', ')}${undefined}${3}`.text).toBe('&lt;, &gt;3');
  const page = referencePage(documentOf({ description: '<script>' }, { title: '<u>' }), Object.values(plans));
  expect(page).not.toMatch(/<script>|<u>/);
});

test('an example contains the required parameters, quoted', () => {
  const parameters = [
    parameter({ name: 'id', in: 'path', example: "it's" }),
    parameter({ name: 'url', example: 'https://a.example/?b=c&d' }),
    parameter({ name: 'token' }),
    parameter({ name: 'more', required: false, example: 'no' }),
  ];
  expect(example({ parameters })).toBe(
    "curl 'https://api.example/x/it'\\''s?url=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d&token=TOKEN'",
  );
});

test('an example contains the required key and a body', () => {
  const requestBody = { required: true, content: { 'application/json': { schema: {}, example: { a: "'" } } } };
  expect(example({ security: [{ renderKey: [] }], requestBody }, 'post').split(' \\\n  ')).toEqual([
    'curl -X POST',
    '-H "Authorization: Bearer $RENDER_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '{\n  "a": "'\\''"\n}'`,
    "'https://api.example/x/{id}'",
  ]);
});

test('a WebSocket has only an address as its example', () => {
  expect(example({ servers: [{ url: 'wss://render.example' }] })).toBe('wss://render.example/x/{id}');
});
