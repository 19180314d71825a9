import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, startTestLab } from '../testing.ts';
import { unusualFiles } from './unusual.ts';

const base = 'https://cdn.lab.example/unusual/';
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

test.each(Object.entries(unusualFiles))('%s is the real file with a change', async (name, { source }) => {
  const real = await fetchThrough(lab, `https://cdn.lab.example/media/amber-12/${source ?? 'movie-180.mp4'}`);
  const { status, headers, body } = await fetchThrough(lab, `${base}${name}`);
  const type = real.headers['content-type'];
  expect([status, headers['content-type'], body.length]).toEqual([200, type, real.body.length]);
  const changed = [...body.keys()].filter((at) => body[at] !== real.body[at]);
  expect(changed.length).toBeGreaterThan(0);
  // The media of an MP4 file is unchanged.
  if (source === undefined) expect(changed.at(-1)).toBeLessThan(real.body.indexOf('mdat', 0, 'latin1'));
});

test('faults apply to unusual files, and other names return 404', async () => {
  expect((await fetchThrough(lab, `${base}edited.mp4?status=503`)).status).toBe(503);
  expect((await fetchThrough(lab, `${base}toString`)).status).toBe(404);
});
