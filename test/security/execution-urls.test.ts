import { randomBytes } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const executeUrl = `${service}/api/v1/render/execute`;

interface Refusal {
  readonly error: { readonly code: string; readonly fields?: readonly { readonly path: string }[] };
}

/** Returns the render config of a video whose order is stored, because its links are too long for a URL. */
async function storedOrder() {
  const { body } = await extract<Result>(`${service}/p5/v3/video/details?videoId=xlablong&renderableFormats=lowres`);
  const item = body.contents?.[0]?.renderableVideos?.[0];
  const { executionUrl = '', sseStatusUrl = '' } = item?.renderConfig ?? {};
  return { executionUrl, sseStatusUrl, order: new URL(executionUrl).searchParams.get('order') ?? '' };
}

async function expectRefused(url: string, expected: readonly [number, string] = [403, 'invalid_url']): Promise<void> {
  for (const method of ['GET', 'DELETE']) {
    const { status, body } = await fetchJson<Refusal>(url, { method });
    expect([status, body.error.code]).toEqual(expected);
  }
}

describe('the execution URL of a stored order', () => {
  test('is refused if it was altered, cut, extended or sealed for another purpose', async () => {
    const { order, sseStatusUrl } = await storedOrder();
    const clip = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
    const { body: started } = await post<StartedJob>(executeUrl, clip);
    const { output } = await outcome(started.sseStatusUrl);
    const [, fileLink = ''] = /\/files\/([^/]+)\//.exec(output?.url ?? '') ?? [];
    const altered = (at: number) => `${order.slice(0, at)}${order[at] === 'A' ? 'B' : 'A'}${order.slice(at + 1)}`;
    const places = [0, 5, 20, 40, order.length >> 1, order.length - 2];
    for (const forged of [
      ...places.map(altered),
      ...places.map((at) => order.slice(0, at)),
      fileLink,
      `${order}AAAA`,
    ]) {
      await expectRefused(`${executeUrl}?order=${forged}`);
    }
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'not_found' });
  });

  test('cannot be guessed: an ID without its seal is refused', async () => {
    for (let count = 0; count < 20; count += 1) {
      const id = randomBytes(16).toString('base64url');
      await expectRefused(`${executeUrl}?order=${id}`);
      await expectRefused(`${executeUrl}/${id}`, [404, 'not_found']);
    }
  });

  test('works for no stored description, whose ID is no order either', async () => {
    const { order } = await storedOrder();
    await expectRefused(`${executeUrl}/${order}`, [404, 'not_found']);
    const clip = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
    const { body } = await post<{ cacheId: string }>(`${service}/api/v1/render/cache`, clip);
    await expectRefused(`${executeUrl}?order=${body.cacheId}`);
  });

  test('starts one job, whose ID no render key can take', async () => {
    const { executionUrl } = await storedOrder();
    const calls = await Promise.all(Array.from({ length: 5 }, () => fetchJson<StartedJob>(executionUrl)));
    expect(calls.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 202]);
    expect(new Set(calls.map(({ body }) => body.jobId)).size).toBe(1);
    const clip = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
    const { status } = await post<Refusal>(executeUrl, { ...clip, id: calls[0]?.body.jobId });
    expect(status).toBe(403);
  });
});

test.each([
  [
    'origin',
    {
      platform: 'p5',
      endpoint: '/video/details',
      parameters: { videoId: 'xlab2' },
      content: 0,
      representations: [{ repId: 'hls-240', kind: 'muxed' }],
    },
  ],
  ['exit', 'direct'],
  ['owner', 'extraction:1'],
])('a caller cannot set the member %s of a job', async (name, value) => {
  const clip = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
  const inInput = { ...clip, inputs: [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a', [name]: value }] };
  for (const job of [{ ...clip, [name]: value }, inInput]) {
    for (const path of ['execute', 'cache']) {
      const { status, body } = await post<Refusal>(`${service}/api/v1/render/${path}`, job, keys.render);
      expect([status, body.error.code]).toEqual([400, 'invalid_body']);
      expect(JSON.stringify(body.error.fields)).toContain(name);
    }
  }
});
