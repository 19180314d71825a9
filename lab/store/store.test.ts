import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, json, startTestLab } from '../testing.ts';

const content = 'film'.repeat(1_000);
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const put = (path: string) =>
  fetchThrough(lab, `https://store.lab.example${path}`, {
    method: 'PUT',
    body: content,
    headers: { 'content-type': 'video/mp4' },
  });

test('the store lists what identifies an uploaded file', async () => {
  const etag = `"${createHash('md5').update(content).digest('hex')}"`;
  expect(await put('/bucket/film.mp4?signature=1')).toMatchObject({ status: 200, headers: { etag } });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const upload = { path: '/bucket/film.mp4', bytes: 4_000, sha256, etag, contentType: 'video/mp4' };
  const listed = json(await fetchThrough(lab, 'https://127.0.0.1/_lab/store'));
  expect(listed).toEqual({ uploads: [upload] });
});

test('the store accepts only PUT', async () => {
  expect((await fetchThrough(lab, 'https://store.lab.example/bucket/film.mp4')).status).toBe(405);
});

describe('a fault of the URL', () => {
  test.each([
    ['status=403', [403, 403]],
    ['status=500&times=1', [500, 200]],
    ['redirectTo=https://elsewhere.example/', [302, 302]],
    ['cut=1000', [0, 0]],
    ['cutOnce=1000', [0, 200]],
    ['throttle=1000000', [200, 200]],
  ])('%s has its effect on two uploads', async (fault, statuses) => {
    const upload = async () => (await put(`/faults?token=${fault}&${fault}`)).status;
    expect([await upload(), await upload()]).toEqual(statuses);
  });
});
