import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from './create-engine.ts';
import type { Engine } from './engine.ts';
import { prove } from './prove.ts';
import { type MediaDirectory, type MediaName, makeMedia, mediaSeconds } from './testing/media.ts';
import { readPackets } from './testing/packets.ts';
import { endOf } from './testing/timing.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'v.ts', 'a.ts');
  engine = createEngine({ directory: media.path, spares: 2 });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

describe('a part without video or audio', () => {
  it.each([
    ['no video at the end', ['av.ts', 'a.ts'], ['Input 1 has no video from 4.1 s on.'], 8],
    ['no video in between', ['av.ts', 'a.ts', 'av.ts'], ['Input 1 has no video from 4.1 s to 8.1 s.'], 12],
    ['no audio at the end', ['av.ts', 'v.ts'], ['Input 1 has no audio from 4.0 s on.'], 8],
    ['no audio in between', ['av.ts', 'v.ts', 'av.ts'], ['Input 1 has no audio from 4.0 s to 8.0 s.'], 12],
    ['neither missing', ['av.ts', 'av.ts'], [], 8],
  ] as const)('has a note, and the result lasts as long as all parts: %s', async (_what, names, notes, seconds) => {
    const report = await encode(names);
    expect(report.notes.filter(({ code }) => code === 'stream_interrupted')).toEqual(
      notes.map((message) => ({ code: 'stream_interrupted', message, input: 0 })),
    );
    const tracks = await readPackets(media.file('result.mp4'));
    expect(tracks.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    expect(Math.abs(Math.max(...tracks.map(endOf)) - seconds)).toBeLessThan(0.25);
  });

  it('has a note if what it adds is left out, because the first part lacks it', async () => {
    const { notes } = await encode(['v.ts', 'v.ts', 'a.ts']);
    expect(notes.map(({ message }) => message)).toEqual([
      'The aac audio in a later part of input 1 was left out: part 1 has no such stream.',
      'Input 1 has no video from 8.0 s on.',
    ]);
  });
});

async function encode(names: readonly MediaName[]) {
  const signal = new AbortController().signal;
  const files = names.map((name, section) => ({ path: media.file(name), duration: mediaSeconds, section }));
  const [first = { path: '' }, ...followedBy] = files;
  const output = { path: media.file('result.mp4'), ext: 'mp4' };
  const report = await engine.process(
    {
      directory: media.path,
      inputs: [{ ...first, followedBy }],
      output,
      operation: { type: 'convert_format', copyStreams: false },
      maxOutputBytes: 10_000_000,
    },
    { signal },
  );
  prove(report, await engine.probe({ directory: media.path, ...output }, { signal }));
  return report;
}
