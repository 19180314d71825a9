import { expect, test } from 'vitest';
import { shownDocument } from './shown-document.ts';

const documentOf = (description: string, operation: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'A', description },
  paths: { '/a': { get: operation } },
  components: { schemas: {} },
});

test('the guides follow the introduction, before the sections of the document', () => {
  const { info } = shownDocument(documentOf('Text.\n\n# Codes\n\nOne.'), '# Guide\n\nTwo.\n');
  expect(info).toEqual({ title: 'A', description: 'Text.\n\n# Guide\n\nTwo.\n\n# Codes\n\nOne.' });
});

test('optional parameters keep their example but are off, and required ones are on', () => {
  const required = { name: 'a', required: true, example: 'b' };
  const plain = { name: 'c', required: false };
  const operation = { summary: 'S', parameters: [required, plain, { name: 'd', required: false, example: ['e'] }] };
  const { paths } = shownDocument(documentOf('', operation), '');
  expect(paths).toEqual({
    '/a': {
      get: {
        summary: 'S',
        parameters: [
          required,
          plain,
          { name: 'd', required: false, examples: { Example: { value: ['e'], 'x-disabled': true } } },
        ],
      },
    },
  });
});

test('examples of events are the text of their stream', () => {
  const bodies = (value: unknown) => ({ schema: {}, examples: { done: { summary: 'Done', value } } });
  const responses = (event: unknown) => ({
    200: { description: 'D', content: { 'text/event-stream': bodies(event), 'application/json': bodies({ b: 1 }) } },
    404: { $ref: '#/components/responses/Failed404' },
  });
  const { paths } = shownDocument(documentOf('', { responses: responses({ status: 'done' }) }), '');
  expect(paths['/a']?.get).toEqual({ responses: responses('data: {"status":"done"}\n\n') });
});

test('examples of results have no error', () => {
  const error = { description: 'D', anyOf: [{ $ref: '#/components/schemas/Error' }, { type: 'null' }] };
  const schemas = {
    Result: { properties: { error, url: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    Other: {},
  };
  const { components } = shownDocument({ ...documentOf(''), components: { schemas } }, '');
  expect(components.schemas).toEqual({
    Result: { properties: { ...schemas.Result.properties, error: { ...error, examples: [null] } } },
    Other: {},
  });
});
