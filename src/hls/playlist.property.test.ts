import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { parsePlaylist } from './testing/parse-playlist.ts';

const base = 'https://cdn.example/dir/list.m3u8';

function readOrRefuse(text: string): void {
  try {
    const playlist = parsePlaylist(text, base);
    if (playlist.kind === 'media') {
      expect(Number.isFinite(playlist.totalDuration)).toBe(true);
      for (const { url } of playlist.segments) expect(url).toMatch(/^https?:\/\//);
    } else {
      for (const { url } of playlist.variants) expect(url).toMatch(/^https?:\/\//);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ code: 'invalid_response_data', message: expect.stringMatching(/line \d+ /) });
  }
}

const path = fc.stringMatching(/^[a-z0-9()_-]{1,12}\.(ts|mp4)$/);
const range = fc.record({ offset: fc.nat(1e9), length: fc.integer({ min: 1, max: 1e9 }) });
const segment = fc.record({
  path,
  milliseconds: fc.nat(20_000),
  byteRange: fc.option(range, { nil: undefined }),
  discontinuities: fc.nat(2),
  gap: fc.boolean(),
});
const mediaModel = fc.record({
  mediaSequence: fc.nat(),
  targetDuration: fc.nat(60),
  endList: fc.boolean(),
  segments: fc.array(segment, { maxLength: 30 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

const variant = fc.record({
  path: fc.stringMatching(/^[a-z0-9()_-]{1,12}\.m3u8$/),
  bandwidth: fc.nat(),
  width: fc.nat(9999),
  height: fc.nat(9999),
  codecs: fc.array(fc.constantFrom('avc1.64001f', 'mp4a.40.2', 'av01.0.08M.08'), { maxLength: 3 }),
  name: fc.string({ maxLength: 10 }).filter((text) => !/["\n\r]/.test(text)),
});

const tokens = fc.constantFrom(
  '#EXTM3U',
  '#EXTINF:',
  '#EXTINF:9.5,',
  '#EXT-X-BYTERANGE:5',
  '#EXT-X-BYTERANGE:5@3',
  '#EXT-X-KEY:METHOD=AES-128,URI="k"',
  '#EXT-X-KEY:METHOD=NONE',
  '#EXT-X-MAP:URI="i.mp4",BYTERANGE="5"',
  '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a,b"',
  '#EXT-X-MEDIA:TYPE=AUDIO,URI="a.m3u8"',
  '#EXT-X-MEDIA-SEQUENCE:3',
  '#EXT-X-ENDLIST',
  '#EXT-X-DISCONTINUITY',
  's.ts',
  'file:///x',
  '\n',
  '\r\n',
  '\uFEFF',
  ':',
  '"',
  ',',
  '=',
  '#',
);

describe('parsePlaylist', () => {
  it('parses a media playlist written from a model back to the model', () => {
    fc.assert(
      fc.property(mediaModel, ({ segments, mediaSequence, targetDuration, endList, lineEnd }) => {
        const text = [
          '#EXTM3U',
          `#EXT-X-TARGETDURATION:${targetDuration}`,
          `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`,
          ...segments.flatMap((part) => [
            ...Array.from({ length: part.discontinuities }, () => '#EXT-X-DISCONTINUITY'),
            ...(part.gap ? ['#EXT-X-GAP'] : []),
            ...(part.byteRange ? [`#EXT-X-BYTERANGE:${part.byteRange.length}@${part.byteRange.offset}`] : []),
            `#EXTINF:${(part.milliseconds / 1000).toFixed(3)},`,
            part.path,
          ]),
          ...(endList ? ['#EXT-X-ENDLIST'] : []),
        ].join(lineEnd);
        expect(parsePlaylist(text, base)).toMatchObject({
          kind: 'media',
          endList,
          targetDuration,
          mediaSequence,
          segments: segments.map((part, index) => ({
            url: `https://cdn.example/dir/${part.path}`,
            duration: part.milliseconds / 1000,
            sequence: mediaSequence + index,
            discontinuityIndex: segments
              .slice(1, index + 1)
              .reduce((sum, { discontinuities }) => sum + discontinuities, 0),
            gap: part.gap,
            ...(part.byteRange ? { byteRange: part.byteRange } : {}),
          })),
        });
      }),
      { seed: 2 },
    );
  });

  it('parses a master playlist written from a model back to the model', () => {
    fc.assert(
      fc.property(fc.array(variant, { minLength: 1, maxLength: 20 }), (variants) => {
        const text = ['#EXTM3U']
          .concat(
            variants.flatMap((rung) => [
              `#EXT-X-STREAM-INF:CODECS="${rung.codecs.join(',')}",BANDWIDTH=${rung.bandwidth},NAME="${rung.name}",RESOLUTION=${rung.width}x${rung.height}`,
              rung.path,
            ]),
          )
          .join('\n');
        const playlist = parsePlaylist(text, base);
        expect(playlist).toMatchObject({
          kind: 'master',
          variants: variants.map(({ path, bandwidth, width, height, codecs }) => ({
            url: `https://cdn.example/dir/${path}`,
            bandwidth,
            width,
            height,
            codecs,
          })),
        });
        if (playlist.kind !== 'master') return;
        expect(playlist.variants.map(({ attributes }) => attributes.get('NAME'))).toEqual(
          variants.map(({ name }) => name),
        );
      }),
      { seed: 3 },
    );
  });

  it('parses or rejects any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), readOrRefuse), { seed: 4 });
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 60 }), (parts) => readOrRefuse(`#EXTM3U\n${parts.join('\n')}`)),
      { seed: 5, numRuns: propertyRuns(500) },
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 60 }), (parts) => readOrRefuse(`#EXTM3U\n${parts.join('')}`)),
      { seed: 6, numRuns: propertyRuns(500) },
    );
  });

  it('terminates for as many lines and attributes as the bounds allow', () => {
    const fillPlaylist = (line: string) => `#EXTM3U\n${line.repeat(Math.floor((8 * 1024 * 1024 - 8) / line.length))}`;
    for (const line of ['\n', '#\n', '#EXTINF:1\ns\n', '#EXT-X-KEY:METHOD=X,KEYFORMAT="a"\n', 'A="",'.repeat(10_000)]) {
      const elapsed = startCpuClock();
      readOrRefuse(fillPlaylist(line));
      expect(elapsed()).toBeLessThan(5000);
    }
  });
});
