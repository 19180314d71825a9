/** @module-tag long */

import { expect, test } from 'vitest';
import { lintDocument } from './lint-document.ts';

const operation = {
  operationId: 'getPet',
  summary: 'Get a pet',
  responses: { 200: { description: 'The pet.' }, 404: { description: 'No such pet exists.' } },
};

function documentWith(get: object) {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://pets.example' }],
    security: [],
    paths: { '/pet': { get } },
  };
}

function contentWith(schema: object) {
  const { responses } = operation;
  return {
    ...operation,
    responses: { ...responses, 200: { ...responses[200], content: { 'application/json': { schema } } } },
  };
}

test('a document without faults has none', async () => {
  expect(await lintDocument('pets', documentWith(operation))).toEqual([]);
});

test('a fault names the document, the place and the rule', async () => {
  const { summary, ...rest } = operation;
  expect(await lintDocument('pets', documentWith(rest))).toEqual([
    'pets #/paths/~1pet/get/summary: Operation object should contain `summary` field. (operation-summary)',
  ]);
});

test('a warning counts as a fault', async () => {
  const faults = await lintDocument('pets', documentWith(contentWith({ type: 'object', required: ['name'] })));
  expect(faults).toEqual([expect.stringContaining('(no-required-schema-properties-undefined)')]);
});

test.each(['https://elsewhere.example/pet.json', './pet.json', '/etc/hostname'])(
  'a reference to %s is a fault, and is not followed',
  async ($ref) => {
    const faults = await lintDocument('pets', documentWith(contentWith({ $ref })));
    expect(faults).toEqual([expect.stringMatching(/refers to another document.*\(no-unresolved-refs\)$/s)]);
  },
);
