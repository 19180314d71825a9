import { expect, it } from 'vitest';
import { defaultSite, siteSetting } from './site.ts';

it("applies the operator's changes", () => {
  expect(siteSetting.read('{"desktop":"Mozilla/5.0 new"}')).toEqual({
    userAgents: { ...defaultSite.userAgents, desktop: 'Mozilla/5.0 new' },
  });
  expect(siteSetting.read('{}')).toEqual(defaultSite);
});

it.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"tablet":"a"}', 'must only contain the members desktop, mobile'],
  ['{"mobile":5}', 'has an invalid mobile'],
  ['{"mobile":""}', 'has an invalid mobile'],
  ['{"mobile":"a\\r\\nb: c"}', 'has an invalid mobile'],
])('rejects %s', (json, message) => {
  expect(() => siteSetting.read(json)).toThrow(message);
});
