import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { containerFormats } from '../formats/container-formats.ts';
import { childBoxes } from '../mp4/box-reader.ts';
import type { EngineInput } from '../tasks/task.ts';
import { changeMp4, changeSampleEntry, emptyTrack, type Mp4Change } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeFile } from '../testing/make-file.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

const { mkv } = containerFormats;

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('fragmented.mp4', 'gop.mp4', 'av.ts', 'a.ac3', 'a.mp3');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const read = (name: string) => readFileSync(media.file(name));

function write(name: string, bytes: Uint8Array): string {
  writeFileSync(media.file(name), bytes);
  return name;
}

async function run(
  input: string | EngineInput,
  ext: OutputContainer,
  { type = 'convert_format' as EngineOperation, copyStreams = true } = {},
): Promise<string[]> {
  const { report } = await processAndVerify(engine, media, { inputs: [input], ext, type, copyStreams });
  return report.streams.map(({ kind, codec }) => `${kind} ${codec}`);
}

const changed = (...changes: Mp4Change[]) => changeMp4(read('gop.mp4'), ...changes);
const streams = 'the h264 video (input 1, stream 0), the aac audio (input 1, stream 1)';

describe('a file that has only headers', () => {
  it.each([
    [
      'an initialization segment',
      () => {
        const heads = childBoxes(read('fragmented.mp4')).filter(({ type }) => type === 'ftyp' || type === 'moov');
        return Buffer.concat(heads.map(({ bytes }) => bytes));
      },
      'it is an initialization segment, without the segments that follow it. ' +
        'Use the link of the whole file, or of the playlist of its segments.',
    ],
    [
      'an index without samples',
      () => changed(emptyTrack(0), emptyTrack(1)),
      'it has only their headers. Check that the link points to a complete video or audio file.',
    ],
    [
      'the tables of MPEG-TS',
      () => read('av.ts').subarray(0, 3 * 188),
      'it has only their headers. Check that the link points to a complete video or audio file.',
    ],
  ])('is named with its streams: %s', async (_what, bytes, words) => {
    await expect(run(write('headers.mp4', bytes()), 'mkv')).rejects.toMatchObject({
      code: 'input_unreadable',
      message: `Input 1 contains no frames of ${streams}: ${words}`,
      retryable: false,
      input: 0,
    });
  });
});

describe('AC-3 at half of its lowest sample rate, as RealAudio has it', () => {
  /** Sync word of a frame. */
  const sync = Buffer.from('0b77', 'hex');
  /** Changes the bit stream version of every frame (ETSI TS 102 366 §4.4.2.1) to that of half the sample rate. */
  const halved = () => {
    const bytes = read('a.ac3');
    const frameBytes = bytes.indexOf(sync, sync.length);
    // At 44.1 kHz, some frames have two more bytes.
    for (let at = 0; at >= 0; at = bytes.indexOf(sync, at + frameBytes)) {
      bytes[at + 5] = (9 << 3) | ((bytes[at + 5] ?? 0) & 7);
    }
    return write('halved.ac3', bytes);
  };

  it.each(['mp4', 'm4a'] as const)('is refused for %s before anything is written', async (ext) => {
    await expect(run(halved(), ext)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(
        /the ac3 audio \(input 1, stream 0\) cannot be copied into it because MP4 does not define AC-3 at \d+ Hz\. Choose output\.ext mov or mkv or ts or wav, or set copyStreams to false/,
      ),
      input: 0,
    });
  });
});

describe('audio that can be neither copied nor decoded', () => {
  const spatial = () => {
    const file = changed(changeSampleEntry(1, 'mhm1'));
    file.write('free', file.lastIndexOf(Buffer.from('esds')), 'latin1');
    return write('spatial.mp4', file);
  };

  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['ts', true],
    ['mp4', false],
  ])('is refused for %s with the operation that leaves it out (copied: %s)', async (ext, copyStreams) => {
    const what = 'the mpegh_3d_audio audio (input 1, stream 1)';
    await expect(run(spatial(), ext, { copyStreams })).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(
        new RegExp(
          `${RegExp.escape(what)}.*Use an input without ${RegExp.escape(what)}.*, or the operation extract_video`,
        ),
      ),
    });
    expect(await run(spatial(), ext, { type: 'extract_video' })).toEqual(['video h264']);
  });
});

describe('a file that is shorter than its header declares', () => {
  const short = (hasStatedSize: boolean): EngineInput => {
    const name = write('short.mp3', read('a.mp3').subarray(0, 9000));
    return { path: media.file(name), ...(hasStatedSize && { hasStatedSize: true as const }) };
  };
  const what =
    /^Input 1 ends at \d\.\d s of 4\.\d s: its mp3 audio \(stream 0\) is shorter than its header declares\. /;

  it('is not to be tried again if all bytes of its source have arrived', async () => {
    await expect(run(short(true), 'mp3')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(
        new RegExp(`${what.source}The download has all bytes of the file, so use another source, or .*no_process`),
      ),
      retryable: false,
    });
  });

  it('is to be tried again if its source did not state its size', async () => {
    await expect(run(short(false), 'mp3')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(new RegExp(`${what.source}Start the job again; if it fails again, use another`)),
      retryable: true,
    });
  });
});

describe('video with more pixels than decoders have memory for', () => {
  beforeAll(async () => {
    const video = [{ name: 'ffv1', options: {} }];
    await makeFile(media.file('huge.mkv'), { container: mkv, video, size: [8192, 4400], videoSeconds: 0.04 });
  });

  it('is refused if it is to be encoded', async () => {
    await expect(run('huge.mkv', 'mp4', { copyStreams: false })).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringMatching(/has 8192 × 4400 pixels, but only frames of up to 8192 × 4320 can be decoded\. /),
    });
  });

  it('is copied', async () => {
    expect(await run('huge.mkv', 'mkv')).toEqual(['video ffv1']);
  });
});
