/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { endOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, type MediaName, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'v.ts', 'a.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

describe('a part without video or audio', () => {
  it.each([
    ['no video at the end', ['av.ts', 'a.ts'], ['Input 1 has no video after 4.1 s.'], 8],
    ['no video in between', ['av.ts', 'a.ts', 'av.ts'], ['Input 1 has no video from 4.1 s to 8.1 s.'], 12],
    ['no audio at the end', ['av.ts', 'v.ts'], ['Input 1 has no audio after 4.0 s.'], 8],
    ['no audio in between', ['av.ts', 'v.ts', 'av.ts'], ['Input 1 has no audio from 4.0 s to 8.0 s.'], 12],
    ['neither missing', ['av.ts', 'av.ts'], [], 8],
  ] as const)('has a note, and the result spans all parts: %s', async (_what, names, notes, seconds) => {
    const report = await encode(names);
    expect(report.notes.filter(({ code }) => code === 'stream_interrupted')).toEqual(
      notes.map((message) => ({ code: 'stream_interrupted', message, input: 0 })),
    );
    const tracks = await readPackets(media.file('result.mp4'));
    expect(tracks.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    expect(Math.abs(Math.max(...tracks.map(endOf)) - seconds)).toBeLessThan(0.25);
  });

  it.each([
    ['audio', 'video', ['v.ts', 'v.ts', 'a.ts']],
    ['video', 'audio', ['a.ts', 'a.ts', 'v.ts']],
    ['audio', 'video', ['v.ts', 'v.ts', 'a.ts', 'v.ts']],
  ] as const)('is refused if it has only %s and part 1 has only %s: %j', async (kind, other, names) => {
    await expect(encode(names)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: `Part 3 of input 1 has only ${kind}, but part 1 has none, so the result could not include it. Use extract_${other}, or parts that all have ${other}.`,
      input: 0,
    });
  });

  it('has a note if the operation itself leaves out its only stream', async () => {
    const { notes } = await encode(['v.ts', 'v.ts', 'a.ts'], 'extract_video');
    expect(notes.map(({ message }) => message)).toEqual(['Input 1 has no video after 8.0 s.']);
  });
});

async function encode(names: readonly MediaName[], type: EngineOperation = 'convert_format') {
  const files = names.map((name, section) => ({ path: media.file(name), duration: mediaSeconds, section }));
  const [first = { path: '' }, ...followedBy] = files;
  const wish = { inputs: [{ ...first, followedBy }], ext: 'mp4', type, copyStreams: false } as const;
  const { report } = await processAndVerify(engine, media, wish);
  return report;
}
