import { expect, it } from 'vitest';
import { defaultUserAgents, readUserAgents } from './clients.ts';

it('changes what the operator names', () => {
  expect(readUserAgents('{"desktop":"Mozilla/5.0 new"}')).toEqual({
    ...defaultUserAgents,
    desktop: 'Mozilla/5.0 new',
  });
  expect(readUserAgents('{}')).toEqual(defaultUserAgents);
});

it.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"tablet":"a"}', 'must name clients of desktop, mobile'],
  ['{"mobile":5}', 'has a wrong mobile'],
  ['{"mobile":""}', 'has a wrong mobile'],
  ['{"mobile":"a\\r\\nb: c"}', 'has a wrong mobile'],
])('refuses %s', (json, message) => {
  expect(() => readUserAgents(json)).toThrow(message);
});
