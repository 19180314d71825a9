import { expect, it } from 'vitest';
import { fakeSite } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { startLookup, timeLeft } from './fetch-page.ts';
import { createSignInWalls } from './sign-in-walls.ts';

const lookup = startLookup(
  fakeSite(() => ({ body: '' })).context,
  { site: defaultSite, signInWalls: createSignInWalls() },
  'post',
);

it('gives a request whole milliseconds of the remaining time, at most 8,000', () => {
  expect(timeLeft(lookup)).toBe(8000);
  const short = timeLeft({ ...lookup, deadline: performance.now() + 3000.7 });
  expect(short).toBeLessThanOrEqual(3000);
  expect(Number.isInteger(short)).toBe(true);
});

it('throws when hardly any time is left', () => {
  const late = expect.objectContaining({ code: 'operation_timeout' });
  expect(() => timeLeft({ ...lookup, deadline: performance.now() + 400 })).toThrow(late);
});
