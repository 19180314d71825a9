/** @module-tag long */

import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../../testing/cpu-clock.ts';
import { noAdditions } from '../../tasks/additions.ts';
import { bufferSource, makeDash, readSource } from '../../testing/make-dash.ts';
import { testSamples, testTrack } from '../../testing/mp4-tracks.ts';
import { readPackets } from '../../testing/read-packets.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../../testing/test-media.ts';
import { readMp4Chapters } from '../additions/chapter-reader.ts';
import { readTopBoxes } from '../box-reader.ts';
import { box, fullBox, u16, u32 } from '../box-writer.ts';
import { fileTypeBox, movieBox } from '../movie-writer.ts';
import { readResult } from '../read-result.ts';
import { finishPlacement, inputLayout } from './finish-placement.ts';
import { type Placement, placeFragments } from './place-fragments.ts';

let media: MediaDirectory;
let inputs: Buffer[];
beforeAll(async () => {
  media = await makeMedia();
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  inputs = [readFileSync(media.file('dash-a.mp4')), readFileSync(media.file('dash-v.mp4'))];
});
afterAll(() => media?.remove());

const join = { type: 'join_streams', copyStreams: true } as const;

function place(headBytes: number, files = inputs, additions = noAdditions): Placement {
  const heads = files.map((file) => ({ head: file.subarray(0, headBytes), size: file.length }));
  const outcome = placeFragments(heads, join, 'mp4', additions);
  if ('declined' in outcome) throw new Error(outcome.declined);
  return outcome.placement;
}

/** Copies every range to its destination, as a download does. */
function fetchToPlace({ ranges, bytes }: Placement): Buffer {
  const result = Buffer.alloc(bytes);
  for (const { input, from, to, destination } of ranges) inputs[input]?.copy(result, destination, from, to + 1);
  return result;
}

function finished(placement: Placement, name: string) {
  const bytes = fetchToPlace(placement);
  const outcome = finishPlacement(placement, bufferSource(bytes));
  if ('declined' in outcome) throw new Error(outcome.declined);
  writeFileSync(media.file(name), bytes);
  const file = openSync(media.file(name), 'r+');
  for (const { position, bytes: piece } of outcome.writes) writeSync(file, piece, 0, piece.length, position);
  closeSync(file);
  return outcome;
}

/** Returns the bytes of a sample of the video. */
async function videoSample(number: number): Promise<Uint8Array> {
  const input = new Input({ source: new FilePathSource(media.file('dash-v.mp4')), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  let at = 0;
  if (track !== null) {
    for await (const { data } of new EncodedPacketSink(track).packets()) {
      if (at === number) return data;
      at += 1;
    }
  }
  throw new Error('there is no such sample');
}

const types = (name: string) => readTopBoxes(readSource(media.file(name))).map(({ type }) => type);

describe('fragment placement', () => {
  it.each([
    ['with its first fragment known', 10_000_000],
    ['with only its index known', 2500],
  ])('produces a file with the packets of the inputs, %s', async (_what, headBytes) => {
    const { report } = finished(place(headBytes), 'placed.mp4');
    const [audio, video] = [await readPackets(media.file('dash-a.mp4')), await readPackets(media.file('dash-v.mp4'))];
    expect(await readPackets(media.file('placed.mp4'))).toEqual([...video, ...audio]);
    expect(types('placed.mp4')).toEqual(['ftyp', 'moov', 'free', 'mdat']);
    expect(report.streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
    expect(report.duration).toBeCloseTo(mediaSeconds, 0);
    expect(report.bytes).toBe(readFileSync(media.file('placed.mp4')).length);
  });

  it.each([
    [
      'are zeros',
      (sample: Buffer) => sample.fill(0),
      /is damaged at \d\.\d s of the result: a packet consists of \d+ zeros/,
    ],
    ['do not add up', (sample: Buffer) => sample.writeUInt32BE(0x7fff_ffff), /is damaged at \d\.\d s of the result/],
  ])('refuses samples that %s', async (_what, damage, message) => {
    const placement = place(10_000_000);
    const bytes = fetchToPlace(placement);
    const undamaged = finishPlacement(placement, bufferSource(Buffer.from(bytes)));
    expect(undamaged).toHaveProperty('report');
    const sample = await videoSample(50);
    const at = bytes.indexOf(sample);
    damage(bytes.subarray(at, at + sample.length));
    expect(() => finishPlacement(placement, bufferSource(bytes))).toThrow(
      expect.objectContaining({ code: 'input_unreadable', input: 1, message: expect.stringMatching(message) }),
    );
  });

  it('puts the index after the media if the reserved space is too small', async () => {
    const placement = place(10_000_000);
    const small = 512;
    const shift = placement.reservedBytes - small;
    const tight: Placement = {
      ...placement,
      reservedBytes: small,
      bytes: placement.bytes - shift,
      ranges: placement.ranges.map((range) => ({ ...range, destination: range.destination - shift })),
    };
    const { report } = finished(tight, 'tight.mp4');
    expect(types('tight.mp4')).toEqual(['ftyp', 'free', 'mdat', 'moov']);
    expect(report.notes).toMatchObject([{ code: 'index_at_end' }]);
    expect((await readPackets(media.file('tight.mp4'))).map(({ packets }) => packets.length)).toEqual(
      [...(await readPackets(media.file('dash-v.mp4'))), ...(await readPackets(media.file('dash-a.mp4')))].map(
        ({ packets }) => packets.length,
      ),
    );
  });

  it.each([
    ['before the media', false, ['ftyp', 'moov', 'mdat', 'free', 'mdat']],
    ['after the media if the reserved space is too small', true, ['ftyp', 'free', 'mdat', 'moov', 'mdat']],
  ])('has tags and chapters in its index, %s', async (_where, isTight, boxes) => {
    const chapters = Array.from({ length: 1000 }, (_, at) => ({ start: at / 500, title: `Chapter ${at}` }));
    const additions = { ...noAdditions, tags: { title: 'A title', description: 'long'.repeat(1200) }, chapters };
    const placement = place(10_000_000, inputs, additions);
    expect(placement.reservedBytes - place(10_000_000).reservedBytes).toBeLessThan(120_000);
    const reservedBytes = isTight ? 512 : placement.reservedBytes;
    const shift = placement.reservedBytes - reservedBytes;
    const ranges = placement.ranges.map((range) => ({ ...range, destination: range.destination - shift }));
    const { report } = finished({ ...placement, reservedBytes, bytes: placement.bytes - shift, ranges }, 'added.mp4');
    expect(types('added.mp4')).toEqual(boxes);
    expect(report.chapters).toBe(1000);
    if (!isTight)
      expect(await readResult(media.file('added.mp4'))).toMatchObject({ chapters: 1000, tags: report.tags });
    expect((await parseFile(media.file('added.mp4'))).common.title).toBe('A title');
    expect(readMp4Chapters(readSource(media.file('added.mp4'))).at(-1)?.title).toBe('Chapter 999');
  });

  it('can be undone, which recovers the inputs', () => {
    const placement = place(10_000_000);
    const result = fetchToPlace(placement);
    inputs.forEach((input, at) => {
      const { head, bytes, runs } = inputLayout(placement, at);
      const pieces = [...runs()].map(({ offset, length }) => result.subarray(offset, offset + length));
      const whole = Buffer.concat([head, ...pieces]);
      expect(whole.length).toBe(bytes);
      expect(whole.equals(input.subarray(0, whole.length))).toBe(true);
      expect(readTopBoxes(bufferSource(input.subarray(whole.length))).map(({ type }) => type)).toEqual(['mfra']);
    });
  });

  it('interleaves fragments by time', () => {
    const { ranges, reservedBytes, bytes } = place(10_000_000);
    let end = reservedBytes;
    for (const { from, to, destination } of ranges) {
      expect(destination).toBe(end);
      end += to - from + 1;
    }
    expect(end).toBe(bytes);
    expect(new Set(ranges.slice(0, 4).map(({ input }) => input)).size).toBe(2);
  });
});

describe('placement', () => {
  const declineReason = (file: Buffer, size = file.length, headBytes = file.length) => {
    return placeFragments([{ head: file.subarray(0, headBytes), size }], join, 'mp4');
  };

  it('is declined for files that do not have exactly one index, and for files that the index does not cover', () => {
    const [dash = Buffer.alloc(0)] = inputs;
    const reason = (text: string) => ({ declined: `Input 1: ${text}` });
    expect(declineReason(readFileSync(media.file('av.mp4')))).toEqual(reason('it is not a DASH file with one track'));
    expect(declineReason(readFileSync(media.file('fragmented.mp4')))).toEqual(
      reason('it is not a DASH file with one track'),
    );
    expect(declineReason(dash, dash.length, 200)).toEqual(reason('its head does not contain exactly one moov box'));
    expect(declineReason(dash, 20_000, 2500)).toEqual(reason('its index does not cover the file'));
    expect(declineReason(dash, 1e9)).toEqual(reason('its index does not cover the file'));
  });

  it('is declined for files whose first samples are not in fragments', () => {
    const samples = testSamples([{ size: 10, duration: 12_800 }]);
    const timing = { delay: 0, mediaTime: 0, length: 1, lead: 0, duration: 1 };
    const source = { input: 0, track: testTrack('video'), samples };
    const moov = movieBox([{ source, timing, chunks: { offsets: [700], counts: [1] } }], false);
    const defaults = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 0, 0, 0)));
    const index = fullBox('sidx', 0, 0, u32(1, 12_800, 0, 0), u16(0, 1), u32(100, 12_800, 0));
    const head = Buffer.concat([fileTypeBox('mp4', []), box('moov', moov.subarray(8), defaults), index]);
    expect(declineReason(head, head.length + 100)).toEqual({
      declined: 'Input 1: some of its samples are not in fragments',
    });
  });

  describe('of a hostile head', () => {
    const samples = testSamples([]);
    const timing = { delay: 0, mediaTime: 0, length: 1, lead: 0, duration: 1 };
    const source = { input: 0, track: testTrack('video'), samples };
    const moov = () => movieBox([{ source, timing, chunks: { offsets: [], counts: [] } }], false);
    const defaults = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 1, 1, 0)));
    const indexOf = (count: number, bytes: number) => {
      const entry = u32(bytes, 12_800, 0);
      return fullBox('sidx', 0, 0, u32(1, 12_800, 0, 0), u16(0, count), ...Array.from({ length: count }, () => entry));
    };

    it.each([
      ['its index lists a sample for every byte', 'some of its samples are not in fragments', 2e9, 1, 0],
      ['its first fragment has millions of samples', 'one of its tracks has too many samples', 0, 1, 5e6],
      ['its index has very many fragments', 'it has too many fragments', 0, 20_000, 0],
    ])('is declined if %s', (_what, reason, sampleCount, fragments, first) => {
      const index = moov();
      const sizes = index.indexOf('stsz') + 4;
      if (sampleCount > 0) index.writeUInt32BE(1, sizes + 4);
      index.writeUInt32BE(sampleCount, sizes + 8);
      const run = fullBox('trun', 0, 0, u32(first));
      const moof = box('moof', fullBox('mfhd', 0, 0, u32(1)), box('traf', fullBox('tfhd', 0, 0x2_0000, u32(1)), run));
      const bytes = Math.floor(2e9 / fragments);
      const head = [fileTypeBox('mp4', []), box('moov', index.subarray(8), defaults), indexOf(fragments, bytes)];
      const all = Buffer.concat([...head, moof]);
      const cpuMilliseconds = startCpuClock();
      expect(declineReason(all, all.length - moof.length + bytes * fragments)).toEqual({
        declined: `Input 1: ${reason}`,
      });
      // Counting the samples one by one would take seconds.
      expect(cpuMilliseconds()).toBeLessThan(500);
    });
  });

  it('is declined for fragments that differ from the index', () => {
    const placement = place(10_000_000);
    const result = fetchToPlace(placement);
    const [first] = placement.ranges;
    result.fill(0, first?.destination, (first?.destination ?? 0) + 8);
    expect(finishPlacement(placement, bufferSource(result))).toEqual({
      declined: expect.stringMatching(/^Input \d: /),
    });
  });
});
