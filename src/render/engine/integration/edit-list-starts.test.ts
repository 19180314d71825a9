import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { containerFormats } from '../formats/container-formats.ts';
import { changeMp4, dropSyncSamples, setEdits, type TestEdit } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeFile } from '../testing/make-file.ts';
import { trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

/** Ticks of the unchanged file: of a second of video, of a frame, and those that its edit lists leave out at the start. */
const videoTicks = 12_800;
const frameTicks = 512;
const firsts = { video: 1024, audio: 2048 };
const audioRate = 44_100;
/** Duration of an audio packet in seconds. */
const audioPacket = 1024 / audioRate;

let media: MediaDirectory;
let engine: Engine;
let whole: { readonly video: PacketTrack; readonly audio: PacketTrack };
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'negative-offsets.mp4');
  engine = createInProcessEngine();
  const tracks = await readPackets(media.file('gop.mp4'));
  whole = { video: trackOf(tracks, 'video'), audio: trackOf(tracks, 'audio') };
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Copies a file with other edit lists, and returns the tracks of the result and its notes. */
async function copyEdited(
  ext: OutputContainer,
  { video, audio }: { readonly video?: readonly TestEdit[]; readonly audio?: readonly TestEdit[] },
  copyStreams = true,
) {
  const changes = [video && setEdits(0, video), audio && setEdits(1, audio)].filter((change) => change !== undefined);
  writeFileSync(media.file('edited.mp4'), changeMp4(readFileSync(media.file('gop.mp4')), ...changes));
  const { path, report } = await processAndVerify(engine, media, { inputs: ['edited.mp4'], ext, copyStreams });
  const tracks = await readPackets(path);
  return { video: trackOf(tracks, 'video').packets, audio: trackOf(tracks, 'audio').packets, notes: report.notes };
}

type Packets = PacketTrack['packets'];
const inOrder = (packets: Packets) => packets.toSorted((a, b) => a.time - b.time);

/**
 * Returns by how much a video frame follows an audio packet, in seconds, by their numbers in the unchanged file. In
 * MPEG-TS, packets have other bytes, and are counted from the end, which the result then has to have.
 */
function lagOf(result: { readonly video: Packets; readonly audio: Packets }, frame: number, packet: number): number {
  const timeOf = (packets: Packets, all: Packets, at: number) => {
    const found = packets.find(({ hash }) => hash === all[at]?.hash) ?? packets.at(at - all.length);
    return found?.time ?? Number.NaN;
  };
  const video = timeOf(inOrder(result.video), inOrder(whole.video.packets), frame);
  return video - timeOf(result.audio, whole.audio.packets, packet);
}

/** Returns the same for a copy of the unchanged file, whose edit lists hide the first frames and samples. */
async function unchangedLag(ext: OutputContainer, frame: number, packet: number): Promise<number> {
  return lagOf(await copyEdited(ext, {}), frame, packet);
}

/** Returns by how much the audio of a file ends after its video, in seconds. */
async function endLag(name: string): Promise<number> {
  const { streams } = await describeMedia(media.file(name));
  const endOf = (kind: string) => streams.find((stream) => stream.kind === kind)?.end ?? Number.NaN;
  return endOf('audio') - endOf('video');
}

const containers: readonly OutputContainer[] = ['mp4', 'mov', 'mkv', 'ts'];

describe('a copy of MP4', () => {
  it.each(containers)('begins when its edit list says, if frames are presented late: %s', async (ext) => {
    // The first frame is presented 80 ms after the beginning of the media, which plays after 58 ms.
    const result = await copyEdited(ext, {
      video: [
        [58, -1],
        [4000, 0],
      ],
    });
    const moved = 0.058 + firsts.video / videoTicks;
    expect(lagOf(result, 20, 40) - (await unchangedLag(ext, 20, 40))).toBeCloseTo(moved, 2);
  });

  it.each(containers)('contains all of an edit of duration 0: %s', async (ext) => {
    const result = await copyEdited(ext, { video: [[0, firsts.video]], audio: [[0, firsts.audio]] });
    expect(result.video).toHaveLength(whole.video.packets.length);
    expect(result.audio.length).toBeGreaterThan(whole.audio.packets.length - 2);
    expect(lagOf(result, 20, 40)).toBeCloseTo(await unchangedLag(ext, 20, 40), 2);
  });

  it('can be encoded from an edit of duration 0', async () => {
    const result = await copyEdited('mp4', { video: [[0, firsts.video]], audio: [[0, firsts.audio]] }, false);
    expect(result.video).toHaveLength(whole.video.packets.length);
  });

  it.each<OutputContainer>(['mkv', 'ts'])('has no sound from long before its edit: %s', async (ext) => {
    const start = [firsts.video + 50 * frameTicks, firsts.audio + 2 * audioRate] as const;
    const result = await copyEdited(ext, { video: [[2000, start[0]]], audio: [[2000, start[1]]] });
    const first = Math.min(...result.video.map(({ time }) => time));
    expect(first - (result.audio[0]?.time ?? Number.NaN)).toBeLessThan(0.13);
    expect(Math.abs((await endLag(`result.${ext}`)) - (await endLag('gop.mp4')))).toBeLessThan(audioPacket);
    expect(result.notes).toEqual([]);
  });

  it.each<OutputContainer>(['m4a', 'mkv', 'ts'])('has all sound of its edit if it is only audio: %s', async (ext) => {
    const edit: TestEdit = [2000, firsts.audio + 2 * audioRate];
    writeFileSync(media.file('edited.mp4'), changeMp4(readFileSync(media.file('gop.mp4')), setEdits(1, [edit])));
    const { path } = await processAndVerify(engine, media, { inputs: ['edited.mp4'], ext, type: 'extract_audio' });
    const { packets } = trackOf(await readPackets(path), 'audio');
    const [first, last] = [packets[0]?.time ?? Number.NaN, packets.at(-1)?.time ?? Number.NaN];
    expect(first).toBeGreaterThan(-0.13);
    // The hidden audio that decoders need, and two seconds up to the start of the last packet.
    expect(Math.abs(last - first - 2.1)).toBeLessThan(audioPacket);
  });

  it.each<OutputContainer>(['mkv', 'ts'])('begins at the key frame before its edit in %s, with a note', async (ext) => {
    const start = [firsts.video + 65 * frameTicks, firsts.audio + 2.6 * audioRate] as const;
    const result = await copyEdited(ext, { video: [[1400, start[0]]], audio: [[1400, start[1]]] });
    expect(result.notes).toEqual([
      { code: 'starts_at_key_frame', message: expect.stringContaining('0.6 s'), input: 0 },
    ]);
    expect(Math.abs((await endLag(`result.${ext}`)) - (await endLag('gop.mp4')))).toBeLessThan(audioPacket);
  });

  it.each<OutputContainer>(['mp4', 'mkv'])(
    'begins with a key frame that its index does not list: HEVC in %s',
    async (ext) => {
      const options = { preset: 'ultrafast', 'x265-params': 'log-level=none:keyint=12:min-keyint=12' };
      const container = { ...containerFormats.mp4, muxerOptions: {} };
      const video = [{ name: 'libx265', options }];
      await makeFile(media.file('hevc.mp4'), { container, video, videoSeconds: 1 });
      const edit: TestEdit = [700, firsts.video + 5 * frameTicks];
      const file = changeMp4(readFileSync(media.file('hevc.mp4')), dropSyncSamples(0, 1), setEdits(0, [edit]));
      writeFileSync(media.file('edited.mp4'), file);
      const { path } = await processAndVerify(engine, media, { inputs: ['edited.mp4'], ext });
      const [first] = trackOf(await readPackets(path), 'video').packets;
      const [sourceFirst] = trackOf(await readPackets(media.file('hevc.mp4')), 'video').packets;
      expect(first).toMatchObject({ hash: sourceFirst?.hash, key: true });
    },
  );

  it.each(containers)('keeps fragments in sync whose frames are presented before they are decoded: %s', async (ext) => {
    const { path } = await processAndVerify(engine, media, { inputs: ['negative-offsets.mp4'], ext });
    const startsOf = async (file: string) => {
      const tracks = await readPackets(file);
      const first = (kind: string) => Math.min(...trackOf(tracks, kind).packets.map(({ time }) => time));
      return first('video') - first('audio');
    };
    expect(await startsOf(path)).toBeCloseTo(await startsOf(media.file('negative-offsets.mp4')), 2);
  });

  it.each(containers)('keeps all audio that begins a little late: %s', async (ext) => {
    const edit: TestEdit = [4000, firsts.audio];
    const [early, late] = [
      await copyEdited(ext, { audio: [edit] }),
      await copyEdited(ext, { audio: [[15, -1], edit] }),
    ];
    expect(late.audio).toHaveLength(early.audio.length);
    expect(late.audio.at(-1)?.duration).toBe(early.audio.at(-1)?.duration);
  });
});
