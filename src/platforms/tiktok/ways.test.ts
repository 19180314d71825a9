import { expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { createBudget } from './budget.ts';
import { defaultUserAgents } from './clients.ts';
import { tryWays } from './ways.ts';

const { context } = fakeSite(() => ({ body: '' }));
let pauses = 0;
const pause = () => {
  pauses += 1;
  return Promise.resolve();
};

/** Ways that each fail after some milliseconds, and how often they were tried. */
async function tried(milliseconds: number) {
  let now = 0;
  let count = 0;
  const way = () => {
    now += milliseconds;
    count += 1;
    return Promise.reject(new MillraceError('operation_timeout', `late ${count}`));
  };
  const site = { userAgents: defaultUserAgents, budget: createBudget(() => now), pause };
  await expect(tryWays([way, way], site, context)).rejects.toMatchObject({ message: 'late 1' });
  return count;
}

it('tries all ways as often as there is time, with a pause before each further time', async () => {
  expect(await tried(1000)).toBe(6);
  expect(pauses).toBe(2);
  expect(await tried(5000)).toBe(4);
  expect(await tried(7000)).toBe(2);
  expect(pauses).toBe(3);
});

it('lets an error that is no answer of the site through at once', async () => {
  const site = { userAgents: defaultUserAgents, budget: createBudget(), pause };
  const bug = () => Promise.reject(new TypeError('a bug'));
  await expect(tryWays([bug], site, context)).rejects.toThrow(TypeError);
  const refused = () => Promise.reject(new MillraceError('not_found', 'x'));
  await expect(tryWays([refused, bug], site, context)).rejects.toMatchObject({ code: 'not_found' });
});
