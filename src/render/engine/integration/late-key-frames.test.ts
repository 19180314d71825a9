import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { annexBUnits } from '../formats/nal-units.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { demuxTransportStream, muxTransportStream } from '../testing/transport-stream.ts';

/** Headers of slices of H.264: of a key frame, and of another frame (ITU-T H.264 table 7-1). */
const keySlice = 0x65;
const otherSlice = 0x61;

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4');
  engine = createInProcessEngine();
  const { path } = await processAndVerify(engine, media, { inputs: ['gop.mp4'], ext: 'ts' });
  const packets = demuxTransportStream(readFileSync(path));
  const start = packets[0]?.pts ?? 0;
  // The first key frame is 0.6 s after the beginning, or there is not any.
  const late = packets.filter(({ pts }) => pts > start + 0.4 * 90_000);
  writeFileSync(media.file('late-key.ts'), muxTransportStream(late));
  for (const { payload } of packets.filter(({ kind }) => kind === 'video')) {
    for (const unit of annexBUnits(payload)) if (unit[0] === keySlice) unit[0] = otherSlice;
  }
  writeFileSync(media.file('keyless.ts'), muxTransportStream(packets));
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** The time at which a track begins. */
const beginOf = (track: { readonly packets: readonly { readonly time: number }[] }) =>
  Math.min(...track.packets.map(({ time }) => time));

describe('a clip of media that begins between two key frames', () => {
  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['mkv', true],
    ['ts', true],
    ['mp4', false],
  ])('begins at the first key frame, with a note, and stays in sync: %s, copied: %s', async (ext, copyStreams) => {
    const clip = { start: 0, end: 2 };
    const { path, report } = await processAndVerify(engine, media, { inputs: ['late-key.ts'], ext, copyStreams, clip });
    expect(report.notes).toEqual([
      {
        code: 'frames_left_out',
        message: expect.stringMatching(/begins 0\.[56]\d s after the start of the clip/),
        input: 0,
      },
    ]);
    const tracks = await readPackets(path);
    const video = trackOf(tracks, 'video');
    expect(video.packets[0]?.key).toBe(true);
    expect(beginOf(video) - beginOf(trackOf(tracks, 'audio'))).toBeCloseTo(0.6, 1);
  });

  it('begins at a later key frame without a note', async () => {
    const clip = { start: 0.7, end: 2 };
    const { report } = await processAndVerify(engine, media, { inputs: ['late-key.ts'], ext: 'mp4', clip });
    expect(report.notes).toEqual([]);
  });

  it('has no video if it has no key frame, with a note', async () => {
    const clip = { start: 0.7, end: 2 };
    const { path, report } = await processAndVerify(engine, media, { inputs: ['keyless.ts'], ext: 'mp4', clip });
    expect(report.notes).toEqual([expect.objectContaining({ code: 'stream_interrupted', input: 0 })]);
    expect((await readPackets(path)).map(({ kind }) => kind)).toEqual(['audio']);
  });
});
