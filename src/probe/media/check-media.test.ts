import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { SourceStream } from '../../contract/source-media.ts';
import type { EgressRequest } from '../../egress/egress.ts';
import { type FakeReply, fakeExit, serveFile } from '../testing/fake-exit.ts';
import { checkAgain, checkMedia } from './check-media.ts';

const url = 'https://cdn.example/video.mp4';
const signal = new AbortController().signal;
const large = Buffer.alloc(3 * 1024 * 1024, 0);
const page = '<!doctype html><title>Sign in</title>';

function itemOf(stream: Partial<SourceStream> = {}) {
  const metadata = { mime_type: 'video/mp4', width: 1280, height: 720, has_audio: true };
  return {
    name: 'video 720p',
    media: {
      item: { label: '720p', url, repId: '1', metadata },
      stream: { ext: 'mp4', kind: 'muxed' as const, ...stream },
    },
  };
}

const rangesOf = (requests: readonly EgressRequest[]) => requests.map(({ headers }) => headers?.values.range);
const check = (reply: (request: EgressRequest) => FakeReply, stream?: Partial<SourceStream>) =>
  checkMedia(itemOf(stream), fakeExit(reply), signal);

describe('media', () => {
  test('works if the start, a part beyond 2 MiB, and that part after a wait arrive', async () => {
    const exit = fakeExit(serveFile(large));
    const result = await checkMedia(itemOf(), exit, signal);
    expect(result.finding).toEqual({ verdict: 'works', problems: [] });
    expect(await checkAgain([result])).toEqual({ verdict: 'works', problems: [] });
    expect(rangesOf(exit.requests)).toEqual(['bytes=0-65535', 'bytes=2097152-2162687', 'bytes=2097152-2162687']);
  });

  test('of a smaller file works if its last part arrives', async () => {
    const exit = fakeExit(serveFile(Buffer.alloc(100_000)));
    expect((await checkMedia(itemOf(), exit, signal)).finding.verdict).toBe('works');
    expect(rangesOf(exit.requests)).toEqual(['bytes=0-65535', 'bytes=34464-99999']);
  });

  test('of a tiny file works', async () => {
    expect((await check(serveFile(Buffer.from([0, 1, 2])))).finding.verdict).toBe('works');
  });

  test('works if the server ignores ranges', async () => {
    const reply = () => ({ headers: { 'content-length': String(large.length) }, body: large });
    expect((await check(reply)).finding.verdict).toBe('works');
  });

  /** Serves the file with other ranges than requested. */
  const serveRange = (change: (first: number, last: number) => [number, number]) => (request: EgressRequest) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers?.values.range ?? '') ?? [];
    const [first, last] = change(Number(from), Number(to));
    const contentRange = `bytes ${first}-${last}/${large.length}`;
    return { status: 206, headers: { 'content-range': contentRange }, body: large.subarray(first, last + 1) };
  };

  test('works if the server sends shorter ranges, or longer ones', async () => {
    expect((await check(serveRange((first, last) => [first, last - 1_000]))).finding.verdict).toBe('works');
    const wider = serveRange((first, last) => [Math.max(0, first - 1_000), last + 1_000]);
    expect((await check(wider)).finding.verdict).toBe('works');
  });

  test('does not work if the server sends another range', async () => {
    const { finding } = await check(serveRange((first, last) => [first + 1, last]));
    const message = 'video 720p: the start did not arrive. The server sent another part.';
    expect(finding).toMatchObject({ verdict: 'unreachable', problems: [{ part: 'start', message }] });
  });

  test('is requested with the headers of its item', async () => {
    const exit = fakeExit(serveFile(large));
    await checkMedia(itemOf({ headers: { cookie: 'a=b', 'User-Agent': 'app' } }), exit, signal);
    for (const { headers } of exit.requests)
      expect(headers).toMatchObject({ origin: 'https://cdn.example', values: { cookie: 'a=b', 'user-agent': 'app' } });
  });

  test('is refused if the server refuses the part beyond 2 MiB', async () => {
    const serve = serveFile(large);
    const result = await check((request) =>
      request.headers?.values.range?.startsWith('bytes=0-') === true ? serve(request) : { status: 403 },
    );
    expect(result.again).toBeUndefined();
    expect(result.finding).toEqual({
      verdict: 'refused',
      problems: [
        {
          kind: 'media',
          item: 'video 720p',
          part: 'later',
          status: 403,
          bytes: 0,
          message: 'video 720p: a later part did not arrive. The server returned 403.',
        },
      ],
    });
  });

  test('is refused if the server refuses it after the wait', async () => {
    const serve = serveFile(large);
    const exit = fakeExit((request) => (exit.requests.length > 2 ? { status: 410 } : serve(request)));
    const result = await checkMedia(itemOf(), exit, signal);
    expect(await checkAgain([result])).toMatchObject({
      verdict: 'refused',
      problems: [{ part: 'after_wait', status: 410 }],
    });
  });

  test.each<[string, FakeReply]>([
    ['has the type of a web page', { headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.alloc(9) }],
    ['contains a web page', { headers: { 'content-type': 'video/mp4' }, body: page }],
    ['contains JSON', { body: '{"error":1}' }],
    ['contains text', { body: 'Please wait.' }],
  ])('is drifting if the response %s', async (_what, reply) => {
    expect((await check(() => reply)).finding).toMatchObject({ verdict: 'drifting', problems: [{ part: 'start' }] });
  });

  test.each<[string, FakeReply]>([
    ['is empty', { body: '' }],
    ['ends early', { headers: { 'content-length': '70000' }, body: Buffer.alloc(20_000) }],
    ['breaks', { body: Buffer.alloc(20_000), error: new MillraceError('connection_error', 'It broke.') }],
  ])('is unreachable if the response %s', async (_what, reply) => {
    const { finding } = await check(() => reply);
    const bytes = typeof reply.body === 'string' ? 0 : 20_000;
    expect(finding).toMatchObject({ verdict: 'unreachable', problems: [{ kind: 'media', status: 200, bytes }] });
  });

  test('is unreachable if there is no response', async () => {
    const error = new MillraceError('connection_error', 'cdn.example cannot be reached.');
    const { finding } = await check(() => ({ error }));
    expect(finding.verdict).toBe('unreachable');
    expect(finding.problems[0]).not.toHaveProperty('status');
    expect(finding.problems[0]?.message).toContain('cdn.example cannot be reached.');
  });
});

describe('an HLS playlist', () => {
  const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n';
  const playlist = '#EXTM3U\n#EXTINF:4,\n1.ts\n#EXTINF:4,\n2.ts\n#EXTINF:4,\n3.ts\n#EXT-X-ENDLIST\n';
  const serve = serveFile(large);
  const site = (request: EgressRequest): FakeReply => {
    if (request.url === url) return { body: master };
    return request.url.endsWith('.m3u8') ? { body: playlist } : serve(request);
  };

  test('works if the first and the last segment of the best variant arrive', async () => {
    const exit = fakeExit(site);
    const result = await checkMedia(itemOf({ ext: 'm3u8' }), exit, signal);
    expect((await checkAgain([result])).verdict).toBe('works');
    expect(exit.requests.map((request) => request.url.split('/').at(-1))).toEqual([
      'video.mp4',
      'high.m3u8',
      '1.ts',
      '3.ts',
      '3.ts',
    ]);
  });

  test('is recognised by its address or type if the item describes no stream', async () => {
    const { name, media } = itemOf();
    const { label, repId, metadata } = media.item;
    for (const item of [
      { label, repId, metadata, url: 'https://cdn.example/high.m3u8?a=b.mp4' },
      { label, repId, metadata: { ...metadata, mime_type: 'application/vnd.apple.mpegurl' }, url },
    ]) {
      const exit = fakeExit((request) => (request.url === item.url ? { body: playlist } : serve(request)));
      expect((await checkMedia({ name, media: { item } }, exit, signal)).finding.verdict).toBe('works');
    }
  });

  test.each<[string, FakeReply, string]>([
    ['is refused', { status: 403 }, 'refused'],
    ['cannot be read', { body: page }, 'drifting'],
    ['has no segments', { body: '#EXTM3U\n#EXT-X-TARGETDURATION:4\n' }, 'drifting'],
  ])('that %s is reported', async (_what, reply, verdict) => {
    const { finding } = await check(() => reply, { ext: 'm3u8' });
    expect(finding).toMatchObject({ verdict, problems: [{ kind: 'media', part: 'start', bytes: 0 }] });
  });
});
