import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { changePids } from '../testing/change-pids.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'rate.ts', 'streams.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** The PIDs of the media library's muxer, and others. */
const pids = { map: 0x1000, video: 0x100, audio: 0x101 };

/** Copies or encodes a file of two halves, which may be segments of a playlist, and returns its packets by kind. */
async function run(second: Buffer, ext: OutputContainer, copyStreams = true, isPlaylist = false) {
  const first = readFileSync(media.file('av.ts'));
  const path = media.file('changed.ts');
  writeFileSync(path, Buffer.concat([first, second]));
  const ends = [first.length, first.length + second.length];
  const segments = { first: 1, inAll: 2, seconds: [4, 4], ends };
  const input = { path, ...(isPlaylist && { duration: 8, segments }) };
  const result = await processAndVerify(engine, media, { inputs: [input], ext, copyStreams });
  const tracks = (await readPackets(result.path)).map(({ kind, packets }) => `${kind} ${packets.length}`);
  return { tracks, notes: result.report.notes };
}

describe('an MPEG-TS file whose streams change without a tag', () => {
  const cases: readonly [what: 'video' | 'audio', ext: OutputContainer, copyStreams: boolean, isPlaylist: boolean][] = [
    ['audio', 'mp4', true, false],
    ['audio', 'mkv', true, true],
    ['video', 'ts', true, false],
    ['video', 'mp4', false, true],
  ];

  it.each(cases)(
    'is refused with the time if the PID of its %s changes: %s (copied: %s, playlist: %s)',
    async (what, ext, ...how) => {
      const second = changePids(readFileSync(media.file('av.ts')), { [pids[what]]: 0x150 });
      await expect(run(second, ext, ...how)).rejects.toMatchObject({
        code: 'source_unsupported',
        message: expect.stringMatching(
          `^The ${what} of input 1 continues in another stream at 4\\.\\d s of the result, because its identifier`,
        ),
        input: 0,
      });
    },
  );

  it.each(['mp4', 'mkv'] as const)(
    'has the right tracks if only the PID of its program map changes: %s',
    async (ext) => {
      const second = changePids(readFileSync(media.file('av.ts')), { [pids.map]: 0x1010 });
      expect(await run(second, ext)).toEqual({ tracks: ['video 200', 'audio 350'], notes: [] });
    },
  );

  it('is refused with the time if its sample rate changes, and can be encoded', async () => {
    const second = readFileSync(media.file('rate.ts'));
    await expect(run(second, 'mp4')).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(/changes its sample rate from 44100 to 48000 Hz at 4\.\d s of the result/),
    });
    expect(await run(second, 'mp4', false)).toEqual({ tracks: ['video 200', 'audio 352'], notes: [] });
  });
});
