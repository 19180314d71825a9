import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { ask, startTestLab } from '../testing.ts';
import { unusualFiles } from './unusual.ts';

const base = 'https://cdn.lab.example/unusual/';
let lab: Lab;
let real: Buffer;

beforeAll(async () => {
  lab = await startTestLab();
  real = (await ask(lab, 'https://cdn.lab.example/media/amber-12/movie-180.mp4')).body;
});
afterAll(() => lab.close());

test.each(Object.keys(unusualFiles))('%s is the real file, with a change', async (name) => {
  const { status, headers, body } = await ask(lab, `${base}${name}`);
  expect([status, headers['content-type'], body.length]).toEqual([200, 'video/mp4', real.length]);
  const changed = [...body.keys()].filter((at) => body[at] !== real[at]);
  expect(changed.length).toBeGreaterThan(0);
  // The media stays what it is.
  expect(changed.at(-1)).toBeLessThan(real.indexOf('mdat', 0, 'latin1'));
});

test('faults work on them, and other names do not exist', async () => {
  expect((await ask(lab, `${base}edited.mp4?status=503`)).status).toBe(503);
  expect((await ask(lab, `${base}toString`)).status).toBe(404);
});
