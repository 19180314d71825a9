import { expect, test } from 'vitest';
import { openContract } from './contract.ts';

const operation = (responses: object) => ({ responses: { ...responses } });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const pet = { type: 'object', required: ['name', 'born'], properties: { name: { $ref: '#/components/schemas/Name' } } };
const contract = openContract({
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': { get: operation({ 200: json(pet), 404: { $ref: '#/components/responses/Gone' } }) },
    '/pets/newest': { get: operation({ 200: json({ const: 'newest' }) }) },
    '/pets/{id}/picture': { get: operation({ 200: { content: { 'image/*': { schema: {} } } }, 304: {} }) },
  },
  components: {
    schemas: { Name: { type: 'string', minLength: 2 } },
    responses: { Gone: json({ const: 'gone' }) },
  },
} as Parameters<typeof openContract>[0]);

const response = (more: Partial<Parameters<typeof contract.check>[0]> = {}) => ({
  method: 'GET',
  url: 'https://api.example/pets/1?lang=de',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: { name: 'Rex', born: 2020 } as unknown,
  ...more,
});

test('a contract accepts a response that the document allows', () => {
  expect(contract.check(response())).toBe(true);
  expect(contract.check(response({ status: 404, body: 'gone' }))).toBe(true);
  expect(contract.check(response({ url: 'https://api.example/pets/newest', body: 'newest' }))).toBe(true);
});

test('a contract accepts any media type within a range', () => {
  const picture = response({ url: 'https://api.example/pets/1/picture', contentType: 'image/png', body: 'PNG' });
  expect(contract.check(picture)).toBe(true);
  expect(() => contract.check({ ...picture, contentType: 'text/html' })).toThrow('not as image/*');
  expect(() => contract.check({ ...picture, contentType: null })).toThrow('not as image/*');
});

test('a contract requires an empty body for a response without content', () => {
  const unchanged = response({ url: 'https://api.example/pets/1/picture', status: 304, contentType: null, body: '' });
  expect(contract.check(unchanged)).toBe(true);
  expect(() => contract.check({ ...unchanged, body: 'PNG' })).toThrow('with a body');
});

test('a contract ignores the body of HEAD', () => {
  expect(contract.check(response({ method: 'HEAD', body: undefined }))).toBe(true);
});

test('a contract ignores undocumented responses', () => {
  expect(contract.check(response({ url: 'https://api.example/pets' }))).toBe(false);
  expect(contract.check(response({ method: 'POST' }))).toBe(false);
});

test.each([
  ['another status', { status: 500 }, /GET \/pets\/1 returned 500 which is not in its document/],
  ['another type', { contentType: 'text/html' }, /as text\/html, not as application\/json/],
  ['no type', { contentType: null }, /not as application\/json/],
  ['a missing member', { body: { name: 'Rex' } }, /must have required property 'born'/],
  ['a wrong member behind a reference', { body: { name: 'R', born: 1 } }, /name must NOT have fewer than 2/],
  ['a wrong body of a response behind a reference', { status: 404, body: {} }, /must be equal to constant/],
])('a contract throws for %s', (_name, more, message) => {
  expect(() => contract.check(response(more))).toThrow(message);
});
