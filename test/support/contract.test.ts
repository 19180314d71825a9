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

test('an answer that the document allows passes', () => {
  expect(contract.check(response())).toBe(true);
  expect(contract.check(response({ status: 404, body: 'gone' }))).toBe(true);
  expect(contract.check(response({ url: 'https://api.example/pets/newest', body: 'newest' }))).toBe(true);
});

test('a range of media types allows each of them', () => {
  const picture = response({ url: 'https://api.example/pets/1/picture', contentType: 'image/png', body: 'PNG' });
  expect(contract.check(picture)).toBe(true);
  expect(() => contract.check({ ...picture, contentType: 'text/html' })).toThrow('not as image/*');
  expect(() => contract.check({ ...picture, contentType: null })).toThrow('not as image/*');
});

test('a response without content has an empty body', () => {
  const unchanged = response({ url: 'https://api.example/pets/1/picture', status: 304, contentType: null, body: '' });
  expect(contract.check(unchanged)).toBe(true);
  expect(() => contract.check({ ...unchanged, body: 'PNG' })).toThrow('with a body');
});

test('of a HEAD there is no body to look at', () => {
  expect(contract.check(response({ method: 'HEAD', body: undefined }))).toBe(true);
});

test('what is not documented is not looked at', () => {
  expect(contract.check(response({ url: 'https://api.example/pets' }))).toBe(false);
  expect(contract.check(response({ method: 'POST' }))).toBe(false);
});

test.each([
  ['another status', { status: 500 }, /GET \/pets\/1 answered 500 which is not in its document/],
  ['another type', { contentType: 'text/html' }, /as text\/html, not as application\/json/],
  ['no type', { contentType: null }, /not as application\/json/],
  ['a missing member', { body: { name: 'Rex' } }, /must have required property 'born'/],
  ['a wrong member behind a reference', { body: { name: 'R', born: 1 } }, /name must NOT have fewer than 2/],
  ['a wrong body of a response behind a reference', { status: 404, body: {} }, /must be equal to constant/],
])('%s is thrown', (_name, more, message) => {
  expect(() => contract.check(response(more))).toThrow(message);
});
