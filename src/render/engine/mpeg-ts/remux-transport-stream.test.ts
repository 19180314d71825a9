import { openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { GrowingFile } from '../media/input/growing-file.ts';
import { readResult } from '../mp4/read-result.ts';
import type { EngineInput, ProcessTask } from '../tasks/task.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import { idlePacer, recordingPacer } from '../testing/test-pacers.ts';
import { demuxTransportStream, type Muxing, muxTransportStream, type TestPes } from '../testing/transport-stream.ts';
import { verifyResult } from '../verification/verify-result.ts';
import { packetBytes } from './demuxer.ts';
import { type GrowingTransportStream, remuxTransportStream } from './remux-transport-stream.ts';

let media: MediaDirectory;
/** The PES packets of a short film. */
let packets: TestPes[];
/** A longer film, concatenated from short ones. */
let film: Buffer;
const films = 40;

beforeAll(async () => {
  media = await makeMedia('av.ts', 'a.aac');
  packets = demuxTransportStream(readFileSync(media.file('av.ts')));
  film = filmOf(films);
});
afterAll(() => media?.remove());

function filmOf(count: number): Buffer {
  return muxTransportStream(Array.from({ length: count }, (_, at) => later(packets, at * 4.1)).flat());
}

function later(all: readonly TestPes[], seconds: number): TestPes[] {
  return all.map((packet) => ({ ...packet, pts: packet.pts + seconds * 90_000, dts: packet.dts + seconds * 90_000 }));
}

function taskOf(input: Partial<EngineInput> & { path: string }, name = 'result'): ProcessTask {
  return {
    directory: media.path,
    inputs: [input],
    output: { path: media.file(`${name}.mp4`), ext: 'mp4' },
    operation: { type: 'convert_format', copyStreams: true },
    maxOutputBytes: 100_000_000,
  };
}

async function remux(bytes: Buffer, input: Partial<EngineInput> = {}, growing?: GrowingTransportStream) {
  writeFileSync(media.file('input.ts'), bytes);
  return await remuxTransportStream(taskOf({ path: media.file('input.ts'), ...input }), growing, idlePacer);
}

async function reportOf(...args: Parameters<typeof remux>) {
  const outcome = await remux(...args);
  if (!('report' in outcome)) throw new Error(outcome.declined);
  const probe = await readResult(media.file('result.mp4'));
  if (probe === undefined) throw new Error('the result is not plain');
  verifyResult(outcome.report, probe);
  return outcome.report;
}

describe('declining a transport stream', () => {
  const change = (changePackets: (all: TestPes[]) => TestPes[], muxing?: Muxing) => () => {
    return muxTransportStream(changePackets(packets), muxing);
  };
  const asItIs = (muxing: Muxing) => change((all) => all, muxing);
  const ofKind = (
    packetKind: TestPes['kind'],
    changePackets: (packet: TestPes, at: number, all: TestPes[]) => TestPes[],
  ) => {
    return change((all) => {
      const own = all.filter(({ kind }) => kind === packetKind);
      return all.flatMap((packet) =>
        packet.kind === packetKind ? changePackets(packet, own.indexOf(packet), own) : [packet],
      );
    });
  };
  const edit = (at: number, offset: number, value: (byte: number) => number) => () => {
    const bytes = Buffer.from(muxTransportStream(packets));
    const place = at * packetBytes + offset;
    bytes[place] = value(bytes[place] ?? 0);
    return bytes;
  };
  /** Returns all packets except the one with this number. */
  const without = (number: number) => () => {
    const bytes = muxTransportStream(packets);
    return Buffer.concat([bytes.subarray(0, number * packetBytes), bytes.subarray((number + 1) * packetBytes)]);
  };
  const half = ({ payload }: TestPes) => Math.floor(payload.length / 2);
  const withPayload = (packet: TestPes, payload: Buffer): TestPes => ({ ...packet, payload });
  const unit = (...bytes: number[]) => Buffer.from([0, 0, 0, 1, ...bytes]);

  it.each<[string, () => Buffer, string]>([
    ['an empty file', () => Buffer.alloc(0), 'it has no program'],
    ['no media', () => muxTransportStream(packets).subarray(0, 2 * packetBytes), 'one of its streams has no packets'],
    ['a file that ends inside a packet', () => muxTransportStream(packets).subarray(0, -1), 'it ends inside a packet'],
    ['media before its tables', without(0), 'its media begins before its tables'],
    ['a missing packet', without(5), 'some of its packets are missing'],
    ['a duplicate packet', () => twice(5), 'some of its packets are missing'],
    ['a lost byte', edit(9, 0, () => 0), 'it is not a sequence of packets'],
    ['a transport error', edit(9, 1, (byte) => byte | 0x80), 'one of its packets is damaged'],
    ['encrypted packets', edit(9, 3, (byte) => byte | 0xc0), 'it is encrypted'],
    ['damaged tables', edit(0, 12, (byte) => byte ^ 1), 'one of its tables is malformed'],
    ['other codecs', asItIs({ types: { video: 0x24, audio: 0x0f } }), 'one of its streams has type 36'],
    ['several videos', asItIs({ types: { video: 0x1b, audio: 0x1b } }), 'it has several streams of the same kind'],
    ['conditional access', asItIs({ descriptors: Buffer.from([9, 0]) }), 'one of its streams has descriptor 9'],
    [
      'audio for the hearing impaired',
      asItIs({ descriptors: Buffer.from([10, 4, ...Buffer.from('deu'), 2]) }),
      'one of its streams declares its language in an unusual form',
    ],
    [
      'half pictures',
      ofKind('video', (packet) => [
        withPayload(packet, packet.payload.subarray(0, half(packet))),
        withPayload(packet, packet.payload.subarray(half(packet))),
      ]),
      'one of its packets holds no picture',
    ],
    [
      'two pictures in a packet',
      ofKind('video', (packet, at, all) =>
        at % 2 === 1
          ? []
          : [withPayload(packet, Buffer.concat([packet.payload, all[at + 1]?.payload ?? Buffer.alloc(0)]))],
      ),
      'one of its packets holds several pictures',
    ],
    [
      'a first picture that is not a keyframe',
      ofKind('video', (packet, at) => (at === 0 ? [] : [packet])),
      'it does not begin with a keyframe',
    ],
    [
      'packets without a picture',
      ofKind('video', (packet, at) => [at === 5 ? withPayload(packet, unit(9, 0xf0)) : packet]),
      'one of its packets holds no picture',
    ],
    [
      'a data partition',
      ofKind('video', (packet, at) => [
        at === 5 ? withPayload(packet, Buffer.concat([unit(2, 0x80), packet.payload])) : packet,
      ]),
      'one of its pictures has a NAL unit of type 2',
    ],
    [
      'other parameter sets',
      ofKind('video', (packet, at) => [
        at === 5 ? withPayload(packet, Buffer.concat([unit(8, 0xce, 1), packet.payload.subarray(6)])) : packet,
      ]),
      'its parameter sets change',
    ],
    [
      'a recovery point',
      ofKind('video', (packet, at) => [
        at === 5 ? withPayload(packet, Buffer.concat([unit(6, 6, 1, 0xc4, 0x80), packet.payload.subarray(6)])) : packet,
      ]),
      'decoding can begin at pictures that are not keyframes',
    ],
    [
      'audio that ends inside a frame',
      ofKind('audio', (packet, at, all) => [
        at === all.length - 1 ? withPayload(packet, packet.payload.subarray(0, -1)) : packet,
      ]),
      'its AAC ends inside a frame',
    ],
    [
      'audio that lost some bytes',
      ofKind('audio', (packet, at) => [at === 2 ? withPayload(packet, packet.payload.subarray(0, -1)) : packet]),
      'its AAC changes, or is damaged',
    ],
    [
      'a clock that goes back',
      change((all) => [...later(all, 9), ...later(all, 8)]),
      'one of its clocks goes backwards',
    ],
    ['a clock that goes below zero', change((all) => [...all, ...later(all, -1)]), 'its clock goes below zero'],
    [
      'a clock that goes far back',
      change((all) => [...all, ...later(all, -9)]),
      'its clock jumps, or its streams are far apart',
    ],
    [
      'a clock that jumps',
      change((all) => [...all, ...later(all, 100)]),
      'its clock jumps, or its streams are far apart',
    ],
    ['a clock that starts over', change((all) => [...all, ...all]), 'one of its clocks goes backwards'],
    [
      'frames that are presented before they are decoded',
      ofKind('video', (packet) => [{ ...packet, pts: packet.dts - 1 }]),
      'its frames are far out of order',
    ],
    [
      'one frame',
      ofKind('video', (packet, at) => (at === 0 ? [packet] : [])),
      'one of its streams has fewer than two frames',
    ],
  ])('leaves no output for %s', async (_what, bytes, reason) => {
    writeFileSync(media.file('result.mp4'), '');
    expect(await remux(bytes())).toEqual({ declined: reason });
    expect(statSync(media.file('result.mp4')).size).toBe(0);
  });

  function twice(number: number): Buffer {
    const bytes = muxTransportStream(packets);
    const end = (number + 1) * packetBytes;
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(end - packetBytes, end), bytes.subarray(end)]);
  }

  it('removes media that was already written', async () => {
    const bytes = Buffer.concat([film, film]);
    expect(await remux(bytes)).toEqual({ declined: 'some of its packets are missing' });
    expect(statSync(media.file('result.mp4')).size).toBe(0);
  });

  it('happens if the result would be too large', async () => {
    writeFileSync(media.file('input.ts'), film);
    const task = { ...taskOf({ path: media.file('input.ts') }), maxOutputBytes: 1_000_000 };
    expect(await remuxTransportStream(task, undefined, idlePacer)).toEqual({
      declined: 'its result would be too large',
    });
  });

  it('happens for several files, several inputs, and results in other containers', async () => {
    writeFileSync(media.file('input.ts'), film);
    const path = media.file('input.ts');
    const task = taskOf({ path });
    const remuxOther = async (other: ProcessTask) => await remuxTransportStream(other, undefined, idlePacer);
    expect(await remuxOther({ ...task, inputs: [{ path, followedBy: [{ path }] }] })).toHaveProperty('declined');
    expect(await remuxOther({ ...task, inputs: [{ path }, { path }] })).toHaveProperty('declined');
    expect(await remuxOther({ ...task, output: { path: media.file('result.mkv'), ext: 'mkv' } })).toHaveProperty(
      'declined',
    );
    const encoding = { type: 'convert_format', copyStreams: false } as const;
    expect(await remuxOther({ ...task, operation: encoding })).toHaveProperty('declined');
  });
});

describe('a playlist', () => {
  /** Returns segments that are muxed separately, like those of a playlist, so that packet counters restart in each. */
  const segments = () => Array.from({ length: 5 }, (_, at) => muxTransportStream(later(packets, at * 4.1)));

  function tableOf(pieces: readonly Buffer[], seconds: readonly number[]) {
    let end = 0;
    const ends = pieces.map(({ length }) => {
      end += length;
      return end;
    });
    return { first: 1, inAll: pieces.length, seconds, ends };
  }

  it('is compared with its segments', async () => {
    const pieces = segments();
    const table = tableOf(
      pieces,
      pieces.map(() => mediaSeconds),
    );
    const report = await reportOf(Buffer.concat(pieces), { segments: table, duration: 5 * mediaSeconds });
    expect(report.duration).toBeCloseTo(4 * 4.1 + mediaSeconds, 0);
  });

  it('is declined if a segment is too short', async () => {
    const pieces = segments();
    pieces[2] = muxTransportStream(later(packets, 8.2).slice(0, 20));
    const table = tableOf(
      pieces,
      pieces.map(() => mediaSeconds),
    );
    expect(await remux(Buffer.concat(pieces), { segments: table })).toMatchObject({ declined: /Segment 3 of 5/ });
  });

  it('is declined if it declares a longer duration', async () => {
    expect(await remux(film, { duration: films * 4.1 * 1.1 })).toMatchObject({
      declined: /its source declared a longer duration/,
    });
  });

  it('is declined if a segment ends inside a packet', async () => {
    const pieces = segments();
    const table = tableOf(
      pieces,
      pieces.map(() => mediaSeconds),
    );
    const ends = table.ends.map((end, at) => (at === 1 ? end - 1 : end));
    expect(await remux(Buffer.concat(pieces), { segments: { ...table, ends } })).toEqual({
      declined: 'one of its segments ends inside a packet',
    });
  });

  it('is declined if its segment boundaries are unknown', async () => {
    expect(await remux(Buffer.concat(segments()))).toEqual({ declined: 'some of its packets are missing' });
  });
});

describe('a growing file', { tags: ['long'] }, () => {
  const duration = films * 4.1;

  /**
   * Remuxes a file whose segments arrive one after another; `ends` are their ends. The output initially contains junk.
   */
  async function growing(bytes: Buffer, ends: readonly number[]) {
    const path = media.file('arriving.ts');
    writeFileSync(path, Buffer.alloc(bytes.length, 0x47));
    const descriptor = openSync(path, 'r+');
    const file = new GrowingFile();
    const { pacer, fractions } = recordingPacer();
    const outcome = remuxTransportStream(taskOf({ path, duration }, 'arrived'), file, pacer);
    let position = 0;
    for (const end of [...ends, bytes.length]) {
      position += writeSync(descriptor, bytes, position, end - position, position);
      file.update({ bytes: position, whole: position === bytes.length });
      await nextTurn();
    }
    return { outcome: await outcome, fractions };
  }

  it('produces the same result as the complete file, wherever it is split', async () => {
    const whole = await reportOf(film, { duration });
    const result = readFileSync(media.file('result.mp4'));
    const cuts = fc.array(fc.integer({ min: 1, max: film.length - 1 }), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, async (ends) => {
        const { outcome, fractions } = await growing(
          film,
          ends.toSorted((a, b) => a - b),
        );
        if (!('report' in outcome)) throw new Error(outcome.declined);
        expect(outcome.report).toEqual(whole);
        expect(readFileSync(media.file('arrived.mp4')).equals(result)).toBe(true);
        expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
      }),
      { seed: 11, numRuns: propertyRuns(12) },
    );
  });

  /** A file whose last megabyte only arrives when it is requested. */
  function lacking(whole: Buffer): GrowingTransportStream {
    const file = { bytes: whole.length - 1_000_000, whole: false, ends: [] };
    const waitForBytes = async (bytes: number) => {
      if (bytes > file.bytes) Object.assign(file, { bytes: whole.length, whole: true });
    };
    return Object.assign(file, { waitForBytes });
  }

  it('is declined if its index needs more than the reserved space', async () => {
    const long = filmOf(4 * films);
    expect(await remux(long, { duration: 1 }, lacking(long))).toEqual({
      declined: 'its index needs more space than was reserved',
    });
    expect(statSync(media.file('result.mp4')).size).toBe(0);
  });

  it('is declined if its duration is unknown', async () => {
    expect(await remux(film, {}, lacking(film))).toEqual({ declined: 'its duration is unknown' });
  });
});
