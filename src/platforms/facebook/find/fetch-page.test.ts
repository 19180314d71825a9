import { expect, it } from 'vitest';
import { fakeSite } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { startLookup, timeLeft } from './fetch-page.ts';
import { createSignInWalls } from './sign-in-walls.ts';

const { context } = fakeSite(() => ({ body: '' }));
const lookup = startLookup(context, { site: defaultSite, signInWalls: createSignInWalls() }, 'post');

it('gives a request whole milliseconds of the remaining time, at most 8,000', () => {
  expect(timeLeft(lookup)).toBe(8000);
  const short = timeLeft({ ...lookup, context: { ...context, timeLeft: () => 4000.7 } });
  expect(short).toBe(3000);
});

it('throws when hardly any time is left', () => {
  const late = expect.objectContaining({ code: 'operation_timeout' });
  expect(() => timeLeft({ ...lookup, context: { ...context, timeLeft: () => 1400 } })).toThrow(late);
});
