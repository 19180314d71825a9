import { expect, it } from 'vitest';
import { defaultSite, siteSetting } from './site.ts';

it('changes what the operator names', () => {
  expect(siteSetting.read('{"desktop":"Mozilla/5.0 new"}')).toEqual({
    userAgents: { ...defaultSite.userAgents, desktop: 'Mozilla/5.0 new' },
  });
  expect(siteSetting.read('{}')).toEqual(defaultSite);
});

it.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"tablet":"a"}', 'must name clients of desktop, mobile'],
  ['{"mobile":5}', 'has a wrong mobile'],
  ['{"mobile":""}', 'has a wrong mobile'],
  ['{"mobile":"a\\r\\nb: c"}', 'has a wrong mobile'],
])('refuses %s', (json, message) => {
  expect(() => siteSetting.read(json)).toThrow(message);
});
