import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { damaged } from '../testing/damaged-text.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { defaultSite } from './site.ts';

const metadata = JSON.stringify({
  id: 'x1abc',
  title: 'A title',
  duration: 10,
  tags: ['a'],
  owner: { id: 'x2', screenname: 'S', avatars: { 60: 'https://s2.dmcdn.net/u/A/60x60' } },
  thumbnails: { 60: 'https://s1.dmcdn.net/v/A/x60', 61: 'https://s1.dmcdn.net/v/B/x60' },
  subtitles: { data: { en: { label: 'E', urls: ['https://static.dmcdn.net/en.srt'] } } },
  qualities: {
    auto: [{ type: 'application/x-mpegURL', url: 'https://cdndirector.dailymotion.com/m.m3u8' }],
    480: [{ type: 'video/mp4', url: 'https://proxy.example/480.mp4' }],
  },
});
const rest = JSON.stringify({ description: 'a<br />b', views_total: 5, geoblocking: ['deny', 'us'] });
const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=800,CODECS="mp4a.40.2,avc1.64001f",RESOLUTION=1280x720,NAME="720@60",PROGRESSIVE-URI="https://vod.example/sec2(a)/720.mp4#cell=cf",AUDIO="a"
https://vod.example/sec2(b)/720.m3u8#cell=cf
#EXT-X-STREAM-INF:BANDWIDTH=400,RESOLUTION=512x288,NAME="380"
https://vod.example/sec2(c)/380.m3u8
`;

/** A known response whose members have values of arbitrary types. */
const reshaped = fc
  .record(
    Object.fromEntries(
      ['title', 'duration', 'tags', 'owner', 'thumbnails', 'subtitles', 'error', 'mode', 'url', 'created_time'].map(
        (name) => [name, fc.jsonValue({ maxDepth: 3 })],
      ),
    ),
    { requiredKeys: [] },
  )
  .map((members) => JSON.stringify({ ...JSON.parse(metadata), ...members }));

async function extractOrRefuse(
  bodies: { metadata: string; master: string; rest: string },
  status: number,
): Promise<void> {
  const { context } = fakeSite(({ url }) => {
    if (url.hostname === 'api.dailymotion.com') return { status, body: bodies.rest };
    return { status, body: url.pathname.endsWith('.m3u8') ? bodies.master : bodies.metadata };
  });
  try {
    const { contents, metadata } = await videoDetails(defaultSite).extract({ videoId: 'x1abc' }, context);
    const { videos = [], audios = [], images = [] } = contents?.[0] ?? {};
    expect(videos.length + audios.length).toBeGreaterThan(0);
    for (const list of [videos, audios, images]) {
      expect(new Set(list.map(({ item }) => item.repId)).size).toBe(list.length);
      for (const { item, stream } of list) {
        expect(item.url).toMatch(/^https?:\/\/[^#]+$/);
        expect(item.label).not.toBe('');
        expect(item.metadata.mime_type).not.toBe('');
        expect(Number.isFinite(item.metadata.width * item.metadata.height)).toBe(true);
        expect(Number.isSafeInteger(stream?.estimatedBytes ?? 0)).toBe(true);
      }
    }
    expect(typeof (metadata.title ?? '')).toBe('string');
    JSON.stringify(metadata);
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
  }
}

describe('hostile responses', () => {
  const status = fc.constantFrom(200, 403, 500);

  it('produce a valid result or a MillraceError', async () => {
    const bodies = fc.record({
      metadata: fc.oneof(fc.constant(metadata), damaged(metadata), reshaped),
      master: fc.oneof(fc.constant(master), damaged(master)),
      rest: fc.oneof(fc.constant(rest), damaged(rest)),
    });
    await fc.assert(fc.asyncProperty(bodies, status, extractOrRefuse), { seed: 9, numRuns: propertyRuns(500) });
  });

  it.each([
    ['depth', '{"id":"x1abc","tags":'.padEnd(500_000, '[')],
    ['closed depth', `{"id":"x1abc","tags":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    [
      'many members',
      `{"id":"x1abc","thumbnails":{${Array.from({ length: 50_000 }, (_, i) => `"${i}":"https://a.example/${i}"`)}}}`,
    ],
    [
      'many qualities',
      `{"id":"x1abc","qualities":{${Array.from({ length: 20_000 }, (_, i) => `"${i}":[{"type":"video/mp4","url":"https://a.example/"}]`)}}}`,
    ],
    ['open tags', JSON.stringify({ error: { title: '<a'.repeat(200_000), code: '&#'.repeat(100_000) } })],
    ['a polluting name', '{"__proto__":{"id":"x1abc"},"id":"x1abc","owner":{"__proto__":{"id":"x"}}}'],
  ])('are processed in bounded time with %s', async (_, body) => {
    const elapsed = startCpuClock();
    await extractOrRefuse({ metadata: body, master, rest: body }, 200);
    expect(elapsed()).toBeLessThan(3000);
  });
});
