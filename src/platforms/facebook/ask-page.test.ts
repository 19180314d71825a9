import { expect, it } from 'vitest';
import { fakeSite } from '../testing/fake-site.ts';
import { startAsking, timeLeft } from './ask-page.ts';
import { defaultFacebookSite } from './site.ts';
import { createWalls } from './walls.ts';

const asking = startAsking(
  fakeSite(() => ({ body: '' })).context,
  { ...defaultFacebookSite, walls: createWalls() },
  'post',
);

it('gives a request whole milliseconds, 8,000 at most, of those that are left', () => {
  expect(timeLeft(asking)).toBe(8000);
  const short = timeLeft({ ...asking, deadline: performance.now() + 3000.7 });
  expect(short).toBeLessThanOrEqual(3000);
  expect(Number.isInteger(short)).toBe(true);
});

it('gives none where hardly any are left', () => {
  const late = expect.objectContaining({ code: 'operation_timeout' });
  expect(() => timeLeft({ ...asking, deadline: performance.now() + 400 })).toThrow(late);
});
