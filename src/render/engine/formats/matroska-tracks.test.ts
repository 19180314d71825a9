import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { type MatroskaTrack, matchTracks, readMatroskaTracks } from './matroska-tracks.ts';

/** An EBML element of fewer than 127 bytes. */
function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.of(0x80 | body.length), body]);
}

function source(bytes: Buffer) {
  return { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
}

const track = (type: number, codec?: string) => {
  return element(
    'ae',
    element('83', Buffer.of(type)),
    ...(codec === undefined ? [] : [element('86', Buffer.from(codec))]),
  );
};
const file = (...parts: readonly Buffer[]) => {
  return Buffer.concat([element('1a45dfa3'), element('18538067', ...parts)]);
};

describe('readMatroskaTracks', () => {
  it('returns the tracks of the header in order', () => {
    const bytes = file(element('ec'), element('1654ae6b', track(1, 'V_VP9'), track(17, 'S_TEXT/WEBVTT\0'), track(18)));
    expect(readMatroskaTracks(source(bytes))).toEqual([
      { kind: 'video', codec: 'V_VP9' },
      { kind: 'subtitle', codec: 'S_TEXT/WEBVTT' },
      { kind: 'other', codec: '' },
    ]);
  });

  it.each<[string, languages: Readonly<Record<string, string>>, tag: string | undefined]>([
    ['both languages', { '22b59c': 'por', '22b59d': 'pt-BR' }, 'pt-BR'],
    ['a tag as language', { '22b59c': 'pt-BR' }, 'pt-BR'],
    ['a code as language', { '22b59c': 'por' }, undefined],
    ['an invalid tag', { '22b59d': 'pt BR' }, undefined],
  ])('returns the language tag of a track with %s', (_what, languages, languageTag) => {
    const elements = Object.entries(languages).map(([id, text]) => element(id, Buffer.from(text)));
    const bytes = file(element('1654ae6b', element('ae', element('83', Buffer.of(2)), ...elements)));
    expect(readMatroskaTracks(source(bytes))).toEqual([
      { kind: 'audio', codec: '', ...(languageTag && { languageTag }) },
    ]);
  });

  it.each([
    ['a header without tracks', file(element('1f43b675'), element('1654ae6b', track(1)))],
    ['damaged tracks', file(element('1654ae6b', Buffer.from('ae85ff', 'hex')))],
    ['another file', Buffer.from('ftypisom')],
  ])('returns no tracks for %s', (_what, bytes) => expect(readMatroskaTracks(source(bytes))).toEqual([]));

  it('handles arbitrary bytes without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(readMatroskaTracks(source(file(element('1654ae6b', Buffer.from(bytes)))))).toBeInstanceOf(Array);
      }),
      { seed: 5, numRuns: propertyRuns(2000) },
    );
  });
});

describe('matchTracks', () => {
  const declaredTracks = (...kinds: MatroskaTrack['kind'][]) => kinds.map((kind) => ({ kind, codec: '' }));

  it('matches streams in order, and reports the tracks that the demuxer skipped', () => {
    const tracks = declaredTracks('video', 'other', 'subtitle', 'audio');
    expect(matchTracks(tracks, [{ kind: 'video' }, { kind: 'audio' }])).toEqual([0, undefined, undefined, 1]);
  });

  it('matches subtitle streams with WebVTT tracks that WebM declares as metadata', () => {
    expect(matchTracks([{ kind: 'data', codec: 'D_WEBVTT/DESCRIPTIONS' }], [{ kind: 'subtitle' }])).toEqual([0]);
  });
});
