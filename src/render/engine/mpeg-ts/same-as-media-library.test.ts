/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ProcessTask } from '../tasks/task.ts';
import { expectSameAsLibrary } from '../testing/compare-with-library.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import { idlePacer } from '../testing/test-pacers.ts';
import { demuxTransportStream, muxTransportStream, type TestPes } from '../testing/transport-stream.ts';
import { remuxTransportStream } from './remux-transport-stream.ts';

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia(
    ...(['av.ts', 'v.ts', 'a.ts', 'wrap.ts', 'far.ts', 'rough.ts', 'rate.ts', 'small.ts', 'short.ts'] as const),
    ...(['second-later-a.ts', 'second-later-v.ts', 'long-a.ts', 'data.ts', 'slides.ts', 'one-frame.ts'] as const),
  );
});
afterAll(() => media?.remove());

type Type = ProcessTask['operation']['type'];

function taskOf(ext: string, input: string, type: Type): ProcessTask {
  return {
    directory: media.path,
    inputs: [{ path: media.file(input) }],
    output: { path: media.file(`result.${ext}`), ext },
    operation: { type, copyStreams: true },
    maxOutputBytes: 10_000_000,
  };
}

/** Writes a new file with the modified PES packets of another one. */
function rewriteFile(name: MediaName, change: (packets: TestPes[]) => TestPes[]): string {
  writeFileSync(
    media.file('changed.ts'),
    muxTransportStream(change(demuxTransportStream(readFileSync(media.file(name))))),
  );
  return 'changed.ts';
}

const shiftBy = (seconds: number) => (packets: TestPes[]) => {
  return packets.map((packet) => ({
    ...packet,
    pts: packet.pts + seconds * 90_000,
    dts: packet.dts + seconds * 90_000,
  }));
};

/** Returns the same audio in PES packets of the given size, each with the time of the first frame that begins in it. */
function straddling(bytes: number) {
  return (packets: TestPes[]): TestPes[] => {
    const audio = packets.filter(({ kind }) => kind === 'audio');
    const all = Buffer.concat(audio.map(({ payload }) => payload));
    const frames: number[] = [];
    for (let at = 0; at < all.length; at += (all.readUInt32BE(at + 3) >>> 13) & 0x1fff) frames.push(at);
    const packed: TestPes[] = [];
    for (let from = 0; from < all.length; from += bytes) {
      const before = frames.filter((at) => at < from).length;
      const pts = (audio[0]?.pts ?? 0) + Math.round((before * 1024 * 90_000) / 44_100);
      packed.push({ kind: 'audio', pts, dts: pts, payload: all.subarray(from, from + bytes) });
    }
    const video = packets.filter(({ kind }) => kind === 'video');
    return [...video, ...packed].toSorted((a, b) => a.dts - b.dts);
  };
}

async function expectSame(type: Type, ext: string, input: string): Promise<void> {
  const task = taskOf(ext, input, type);
  const outcome = await remuxTransportStream(task, undefined, idlePacer);
  if (!('report' in outcome)) throw new Error(outcome.declined);
  await expectSameAsLibrary(task, outcome.report);
}

describe('a remuxed transport stream', () => {
  it.each<[Type, string, MediaName]>([
    ['convert_format', 'mp4', 'av.ts'],
    ['convert_format', 'mp4', 'v.ts'],
    ['convert_format', 'mp4', 'a.ts'],
    ['convert_format', 'm4a', 'long-a.ts'],
    ['convert_format', 'mp4', 'wrap.ts'],
    ['convert_format', 'mp4', 'far.ts'],
    ['convert_format', 'mp4', 'rough.ts'],
    ['convert_format', 'mp4', 'rate.ts'],
    ['join_streams', 'mp4', 'small.ts'],
    ['convert_format', 'mp4', 'short.ts'],
    ['convert_format', 'mp4', 'second-later-a.ts'],
    ['convert_format', 'mp4', 'second-later-v.ts'],
    ['extract_audio', 'm4a', 'av.ts'],
    ['extract_video', 'mp4', 'av.ts'],
    ['extract_audio', 'm4a', 'second-later-a.ts'],
  ])('matches the media library: %s into %s from %s', async (type, ext, input) => {
    await expectSame(type, ext, input);
  });

  it.each<[string, MediaName, (packets: TestPes[]) => TestPes[]]>([
    ['that is unchanged', 'av.ts', (packets) => packets],
    ['whose clock begins at zero', 'av.ts', (packets) => shiftBy(-(packets[0]?.dts ?? 0) / 90_000)(packets)],
    ['whose clock wraps around between its first times', 'av.ts', shiftBy(2 ** 33 / 90_000 - 1.48)],
    ['whose clock wraps around in the middle', 'rough.ts', shiftBy(2 ** 33 / 90_000 - 3)],
    ['whose clock wraps around at the end', 'av.ts', shiftBy(2 ** 33 / 90_000 - 5.3)],
    ['with audio that begins late', 'av.ts', (packets) => late(packets, 'audio', 1.7)],
    ['of a high bitrate, with audio that begins late', 'av.ts', (packets) => late(heavy(packets), 'audio', 1.7)],
    ['with video that begins late', 'av.ts', (packets) => late(packets, 'video', 1.7)],
    ['with audio in many small packets', 'av.ts', straddling(170)],
    ['with frames of audio across packets', 'av.ts', straddling(1000)],
    ['with frames of audio across packets of odd sizes', 'rough.ts', straddling(777)],
    ['with packets of more than a frame of audio', 'av.ts', straddling(3001)],
    ['with times of audio in whole milliseconds', 'av.ts', (packets) => roundAudioTimes(packets)],
    ['with whole milliseconds, frames across packets', 'av.ts', (packets) => roundAudioTimes(straddling(500)(packets))],
    ['with times of audio that are a little off', 'av.ts', (packets) => jitterAudioTimes(packets)],
    ['with audio only', 'av.ts', (packets) => packets.filter(({ kind }) => kind === 'audio')],
    ['with a pause in the audio', 'av.ts', (packets) => pause(packets)],
  ])('matches the media library for a file %s', async (_what, name, change) => {
    await expectSame('convert_format', 'mp4', rewriteFile(name, change));
  });

  /** Returns pictures of 80 KB, each followed by filler data (ITU-T H.264 §7.3.2.7). */
  function heavy(packets: TestPes[]): TestPes[] {
    const filler = Buffer.concat([Buffer.from([0, 0, 1, 12]), Buffer.alloc(80_000, 0xff), Buffer.from([0x80])]);
    return packets.map((packet) => {
      return packet.kind === 'video' ? { ...packet, payload: Buffer.concat([packet.payload, filler]) } : packet;
    });
  }

  function late(packets: TestPes[], which: TestPes['kind'], seconds: number): TestPes[] {
    return packets
      .map((packet) => (packet.kind === which ? (shiftBy(seconds)([packet])[0] ?? packet) : packet))
      .toSorted((a, b) => a.dts - b.dts);
  }

  function audioTimes(packets: TestPes[], change: (pts: number, at: number) => number): TestPes[] {
    return packets.map((packet, at) => {
      const pts = packet.kind === 'audio' ? change(packet.pts, at) : packet.pts;
      return { ...packet, pts, dts: packet.kind === 'audio' ? pts : packet.dts };
    });
  }

  function roundAudioTimes(packets: TestPes[]): TestPes[] {
    return audioTimes(packets, (pts) => Math.floor(pts / 90) * 90);
  }

  function jitterAudioTimes(packets: TestPes[]): TestPes[] {
    return audioTimes(packets, (pts, at) => pts + ((at * 37) % 11) * 60);
  }

  function pause(packets: TestPes[]): TestPes[] {
    const audio = packets.filter(({ kind }) => kind === 'audio');
    return packets.filter((packet) => packet !== audio[3]);
  }
});
