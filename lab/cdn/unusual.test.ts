import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { findBox } from '../media/boxes.ts';
import { fetchThrough, startTestLab } from '../testing.ts';
import { unusualFiles } from './unusual.ts';
import { unusualTexts } from './unusual-texts.ts';

const base = 'https://cdn.lab.example/unusual/';
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

test.each(Object.entries(unusualFiles))(
  '%s is the real file with a change',
  async (name, { source, share, addedBoxes }) => {
    const real = await fetchThrough(lab, `https://cdn.lab.example/media/amber-12/${source ?? 'movie-180.mp4'}`);
    const { status, headers, body } = await fetchThrough(lab, `${base}${name}`);
    expect([status, headers['content-type']]).toEqual([200, real.headers['content-type']]);
    const changed = [...real.body.keys()].filter((at) => body[at] !== real.body[at]);
    expect(changed.length).toBeGreaterThan(0);
    if (addedBoxes === undefined) expect(body.length).toBe(Math.floor(real.body.length * (share ?? 1)));
    else expect(findBox(body, ['moov']).start).toBe(real.body.length);
    // The media of an MP4 file whose index precedes it is unchanged.
    if (/\.m[4p]/.test(name) && !real.body.includes('moof'))
      expect(changed.at(-1)).toBeLessThan(real.body.indexOf('mdat', 0, 'latin1'));
  },
);

test.each(Object.entries(unusualTexts))('%s is a text', async (name, { type }) => {
  const { status, headers, body } = await fetchThrough(lab, `${base}${name}`);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(body.toString()).toContain('X-TIMESTAMP-MAP');
});

test('faults apply to unusual files, and other names return 404', async () => {
  expect((await fetchThrough(lab, `${base}edited.mp4?status=503`)).status).toBe(503);
  expect((await fetchThrough(lab, `${base}toString`)).status).toBe(404);
});
