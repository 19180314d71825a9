import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { packetBytes } from '../mpeg-ts/demuxer.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { demuxTransportStream, muxTransportStream } from '../testing/transport-stream.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'a.m4a');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

function write(name: string, bytes: Buffer): string {
  writeFileSync(media.file(name), bytes);
  return name;
}

/** Video whose parameter sets are missing, so that no frame of it can be read. */
function withoutParameterSets(): string {
  const packets = demuxTransportStream(readFileSync(media.file('av.ts')));
  for (const { payload } of packets.filter(({ kind }) => kind === 'video')) {
    for (const unit of [0x67, 0x68]) {
      const start = Buffer.from([0, 0, 1, unit]);
      // Filler data takes their place.
      for (let at = payload.indexOf(start); at >= 0; at = payload.indexOf(start)) payload[at + 3] = 0x6c;
    }
  }
  return write('unreadable.ts', muxTransportStream(packets));
}

/** Video that the program map declares, without a packet. */
function withoutPackets(): string {
  const file = readFileSync(media.file('av.ts'));
  const packets = Array.from({ length: file.length / packetBytes }, (_, at) => {
    return file.subarray(at * packetBytes, (at + 1) * packetBytes);
  });
  return write('declared.ts', Buffer.concat(packets.filter((packet) => (packet.readUInt16BE(1) & 0x1fff) !== 0x100)));
}

async function run(
  inputs: readonly string[],
  ext: OutputContainer,
  type: EngineOperation = 'convert_format',
  copyStreams = true,
) {
  const { report } = await processAndVerify(engine, media, { inputs, ext, type, copyStreams });
  return { kinds: report.streams.map(({ kind }) => kind), notes: report.notes.map(({ message }) => message) };
}

describe('the only video of an input, of which no frame can be read', () => {
  it.each<[EngineOperation, OutputContainer, boolean]>([
    ['convert_format', 'mp4', true],
    ['convert_format', 'mkv', false],
    ['extract_video', 'mp4', true],
    ['mix_audio_and_video', 'mp4', true],
  ])('fails the job instead of being left out: %s into %s (copied: %s)', async (type, ext, copyStreams) => {
    const inputs = type === 'mix_audio_and_video' ? [withoutParameterSets(), 'a.m4a'] : [withoutParameterSets()];
    await expect(run(inputs, ext, type, copyStreams)).rejects.toMatchObject({
      code: 'input_unreadable',
      message:
        'No frame of the h264 video (input 1, stream 0) can be read: none states its size and format. ' +
        'Use another source or quality, or the operation extract_audio.',
      retryable: false,
      input: 0,
    });
  });

  it('does not matter if only the audio is needed', async () => {
    expect(await run([withoutParameterSets()], 'm4a', 'extract_audio')).toEqual({ kinds: ['audio'], notes: [] });
    const replaced = await run(['av.ts', withoutParameterSets()], 'mp4', 'replace_audio_in_video');
    expect(replaced.kinds).toEqual(['video', 'audio']);
  });
});

it('video without a packet is left out with a note', async () => {
  expect(await run([withoutPackets()], 'mp4')).toEqual({
    kinds: ['audio'],
    notes: ['The h264 video (input 1, stream 0) was left out: no frame of it was found when the file was opened.'],
  });
});
