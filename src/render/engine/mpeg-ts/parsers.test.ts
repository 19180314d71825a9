import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { BitReader } from '../binary/bit-reader.ts';
import { FastPathDeclined, undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import { withoutEscapes } from '../formats/nal-units.ts';
import { BitWriter, withEscapes } from '../testing/bit-writer.ts';
import { tableSection } from '../testing/transport-stream.ts';
import { AdtsParser } from './adts-parser.ts';
import { AccessUnit } from './h264-access-unit.ts';
import { parsePps } from './h264-pps.ts';
import { parseSps } from './h264-sps.ts';
import { readPesHeader, unwrapTimestamp } from './pes-header.ts';
import { readProgramAssociation, readProgramMap } from './program-tables.ts';

const junk = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

describe('bit reader', () => {
  const field = fc.oneof(
    fc.record({ kind: fc.constant('unsigned' as const), value: fc.nat(2 ** 31 - 2) }),
    fc.record({ kind: fc.constant('signed' as const), value: fc.integer({ min: -(2 ** 29), max: 2 ** 29 }) }),
    fc.record({ kind: fc.constant('read' as const), value: fc.nat(2 ** 31 - 1) }),
  );

  it('reads bits as they were written, and finds the end of the payload', () => {
    fc.assert(
      fc.property(fc.array(field, { maxLength: 30 }), (fields) => {
        const writer = new BitWriter();
        for (const { kind, value } of fields) {
          if (kind === 'read') writer.write(value, 32);
          else writer[kind](value);
        }
        const reader = new BitReader(writer.bytes());
        for (const { kind, value } of fields)
          expect(
            (kind === 'read' ? reader.readBits(32) : kind === 'signed' ? reader.readSigned() : reader.readUnsigned()) +
              0,
          ).toBe(value);
        expect(reader.hasMore).toBe(false);
        reader.expectEnd();
        expect(() => reader.readBits(16)).toThrow(FastPathDeclined);
      }),
      { seed: 1 },
    );
  });

  it('removes the escape bytes of NAL units', () => {
    const bytes = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 255), { maxLength: 60 }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, (unit) => {
        expect(withoutEscapes(withEscapes(unit)).equals(unit)).toBe(true);
      }),
      { seed: 2, numRuns: propertyRuns(500) },
    );
  });
});

describe('sequence parameter sets', () => {
  const shape = fc.record({
    profile: fc.constantFrom(66, 77, 100, 110, 122, 244),
    chromaFormat: fc.constantFrom(1, 2),
    depth: fc.constantFrom(8, 10),
    order: fc.nat(2),
    columns: fc.integer({ min: 1, max: 512 }),
    rows: fc.integer({ min: 1, max: 512 }),
    crop: fc.option(fc.tuple(fc.nat(3), fc.nat(3))),
    aspect: fc.option(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }))),
    colors: fc.option(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.boolean())),
    lists: fc.boolean(),
    buffering: fc.boolean(),
  });

  type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;

  function write({
    profile,
    chromaFormat,
    depth,
    order,
    columns,
    rows,
    crop,
    aspect,
    colors,
    lists,
    buffering,
  }: Shape) {
    const bits = new BitWriter().write(profile, 8).write(0x001f, 16).unsigned(3);
    if (profile >= 100) {
      bits
        .unsigned(chromaFormat)
        .unsigned(depth - 8)
        .unsigned(depth - 8)
        .write(0, 1)
        .write(lists ? 1 : 0, 1);
      // A list that repeats its first value from the second index on, and seven that are omitted.
      if (lists) bits.write(1, 1).signed(1).signed(-9).write(0, 7);
    }
    bits.unsigned(4).unsigned(order);
    if (order === 0) bits.unsigned(6);
    if (order === 1) bits.write(0, 1).signed(-1).signed(2).unsigned(2).signed(5).signed(-5);
    bits
      .unsigned(4)
      .write(0, 1)
      .unsigned(columns - 1)
      .unsigned(rows - 1)
      .write(1, 1)
      .write(1, 1);
    bits.write(crop === null ? 0 : 1, 1);
    if (crop !== null) bits.unsigned(0).unsigned(crop[0]).unsigned(crop[1]).unsigned(0);
    bits.write(1, 1).write(aspect === null ? 0 : 1, 1);
    if (aspect !== null) bits.write(255, 8).write(aspect[0], 16).write(aspect[1], 16);
    bits.write(0, 1).write(colors === null ? 0 : 1, 1);
    if (colors !== null) {
      bits
        .write(5, 3)
        .write(colors[3] ? 1 : 0, 1)
        .write(1, 1);
      for (const number of colors.slice(0, 3)) bits.write(Number(number), 8);
    }
    bits.write(1, 1).unsigned(1).unsigned(1).write(1, 1).write(1, 32).write(50, 32).write(1, 1);
    bits.write(buffering ? 1 : 0, 1);
    if (buffering) bits.unsigned(0).write(0, 8).unsigned(1000).unsigned(2000).write(1, 1).write(0, 20);
    bits.write(0, 1);
    if (buffering) bits.write(0, 1);
    bits.write(1, 1).write(1, 1).write(1, 1);
    for (const value of [0, 0, 11, 11, 2, 4]) bits.unsigned(value);
    return withEscapes(Buffer.concat([Buffer.from([0x67]), bits.bytes()]));
  }

  it('are read as they were written', () => {
    fc.assert(
      fc.property(shape, (parameters) => {
        const high = parameters.profile >= 100;
        const chromaFormat = high ? parameters.chromaFormat : 1;
        const [right, top] = parameters.crop ?? [0, 0];
        const [colors, aspect] = [parameters.colors, parameters.aspect];
        expect(parseSps(write(parameters))).toEqual({
          id: 3,
          profile: parameters.profile,
          chromaFormat,
          lumaDepth: high ? parameters.depth : 8,
          chromaDepth: high ? parameters.depth : 8,
          width: parameters.columns * 16 - 2 * right,
          height: parameters.rows * 16 - (chromaFormat === 1 ? 2 : 1) * top,
          ...(aspect && { pixelAspect: { num: aspect[0], den: aspect[1] } }),
          ...(colors && {
            colors: { primaries: colors[0], transfer: colors[1], matrix: colors[2], fullRange: colors[3] },
          }),
        });
      }),
      { seed: 3, numRuns: propertyRuns(300) },
    );
  });

  it('are declined or read if they are damaged', () => {
    fc.assert(
      fc.property(shape, fc.nat(), fc.nat(7), fc.option(fc.nat(40), { nil: undefined }), (parameters, at, bit, cut) => {
        const unit = write(parameters).subarray(0, cut);
        if (unit.length > 1) unit.writeUInt8(unit.readUInt8(at % unit.length) ^ (1 << bit), at % unit.length);
        const result = undefinedIfDeclined(() => parseSps(unit));
        if (result !== undefined) expect(Math.min(result.width, result.height)).toBeGreaterThan(0);
      }),
      { seed: 4, numRuns: propertyRuns(1000) },
    );
  });

  it('are read or declined if they contain arbitrary bytes, and so are picture parameter sets', () => {
    fc.assert(
      fc.property(junk, (bytes) => {
        undefinedIfDeclined(() => parseSps(bytes));
        const about = { id: 0, profile: 100, chromaFormat: 1, lumaDepth: 8, chromaDepth: 8, width: 16, height: 16 };
        undefinedIfDeclined(() => parsePps(bytes, about));
      }),
      { seed: 5, numRuns: propertyRuns(2000) },
    );
  });
});

describe('program tables', () => {
  const stream = (type: number, pid: number, ...descriptors: number[]) => {
    return [type, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, descriptors.length, ...descriptors];
  };
  const map = (...streams: number[][]) => tableSection(2, Buffer.from([0xe1, 0, 0xf0, 0, ...streams.flat()]));

  it('name one program and its streams', () => {
    expect(readProgramAssociation(tableSection(0, Buffer.from([0, 0, 0xe0, 0x10, 0, 1, 0xf0, 0x21])))).toBe(0x1021);
    expect(
      readProgramMap(map(stream(0x0f, 0x102, 10, 4, 0x64, 0x65, 0x75, 0), stream(0x1b, 0x101, 0x28, 1, 0))),
    ).toEqual([
      { pid: 0x102, kind: 'audio', language: 'deu' },
      { pid: 0x101, kind: 'video' },
    ]);
  });

  it.each([
    ['no program', () => readProgramAssociation(tableSection(0, Buffer.alloc(0)))],
    ['several programs', () => readProgramAssociation(tableSection(0, Buffer.from([0, 1, 0xe1, 0, 0, 2, 0xe2, 0])))],
    ['another table', () => readProgramAssociation(tableSection(2, Buffer.from([0, 1, 0xe1, 0])))],
    ['no stream', () => readProgramMap(map())],
    ['an identifier twice', () => readProgramMap(map(stream(0x1b, 0x101), stream(0x0f, 0x101)))],
    ['a descriptor that is cut', () => readProgramMap(map(stream(0x1b, 0x101, 0x28, 9, 0)))],
  ])('are declined with %s', (_what, read) => {
    expect(read).toThrow(FastPathDeclined);
  });

  it('are read or declined, regardless of their content', () => {
    fc.assert(
      fc.property(junk, fc.constantFrom(0, 2), (bytes, table) => {
        for (const each of [bytes, tableSection(table, bytes)]) {
          undefinedIfDeclined(() => readProgramAssociation(each));
          undefinedIfDeclined(() => readProgramMap(each));
        }
      }),
      { seed: 6, numRuns: propertyRuns(1000) },
    );
  });
});

describe('PES packets', () => {
  it('are read or declined, regardless of the content of their headers', () => {
    fc.assert(
      fc.property(junk, fc.boolean(), (bytes, plain) => {
        if (plain) bytes.set([0, 0, 1, 0xe0, 0, 0, 0x80].slice(0, bytes.length));
        const header = undefinedIfDeclined(() => readPesHeader(bytes, bytes.length, 'video'));
        if (header === undefined) return;
        expect(header.payloadOffset).toBeLessThanOrEqual(bytes.length);
        expect(Math.max(header.pts, header.dts)).toBeLessThan(2 ** 33);
      }),
      { seed: 7, numRuns: propertyRuns(2000) },
    );
  });

  it('get times near those of previous packets', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.nat(8), fc.integer({ min: -1e9, max: 1e9 }), (low, rounds, step) => {
        const reference = rounds * 2 ** 33 + 4 * low;
        const time = reference + step;
        expect(unwrapTimestamp(((time % 2 ** 33) + 2 ** 33) % 2 ** 33, reference)).toBe(time);
      }),
      { seed: 8 },
    );
  });
});

describe('H.264 pictures', () => {
  it('are read or declined, regardless of their content', () => {
    const bytes = fc.array(fc.constantFrom(0, 0, 0, 1, 1, 3, 5, 6, 7, 8, 9, 0x41, 0x65, 0x80, 0xff), {
      maxLength: 200,
    });
    const unit = new AccessUnit();
    fc.assert(
      fc.property(bytes, (all) => {
        const buffer = Buffer.from(all);
        if (undefinedIfDeclined(() => unit.read(buffer, 0) ?? true) === undefined) return;
        const lengths = Array.from({ length: unit.count }, (_, at) => (unit.ends[at] ?? 0) - (unit.begins[at] ?? 0));
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        expect(unit.size).toBe(lengths.reduce((sum, length) => sum + length + 4, 0));
      }),
      { seed: 10, numRuns: propertyRuns(5000) },
    );
  });

  it('keep the content between start codes of either length', () => {
    const picture = Buffer.from([0, 0, 0, 1, 9, 0xf0, 0, 0, 1, 0x65, 0x88, 0x84, 0, 0, 3, 1, 0, 0, 0, 0]);
    const unit = new AccessUnit();
    unit.read(picture, 0);
    expect(unit).toMatchObject({ count: 2, isKeyFrame: true, begins: [4, 9], ends: [6, 16], size: 17 });
  });
});

describe('AAC frames', () => {
  const frame = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean())
    .map(([raw]) => Buffer.from(raw));

  function adts(payload: Buffer, checked: boolean): Buffer {
    const length = payload.length + (checked ? 9 : 7);
    const head = [
      0xff,
      checked ? 0xf0 : 0xf1,
      0x50,
      0x80 | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
    ];
    return Buffer.concat([Buffer.from([...head, 0xfc, ...(checked ? [1, 2] : [])]), payload]);
  }

  it('do not depend on how they are split into packets', () => {
    const cuts = fc.array(fc.nat(5000), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 12 }), cuts, fc.boolean(), (frames, places, checked) => {
        const all = Buffer.concat(frames.map((payload) => adts(payload, checked)));
        const ends = [...places.map((place) => place % all.length), all.length].toSorted((a, b) => a - b);
        const reader = new AdtsParser();
        const units: Buffer[] = [];
        let from = 0;
        for (const to of ends) {
          reader.read(all, from, to, (bytes, begin, end) => units.push(Buffer.from(bytes.subarray(begin, end))));
          from = to;
        }
        reader.end();
        expect(units).toEqual(frames);
        expect(reader.header).toEqual({ objectType: 2, rateIndex: 4, rate: 44_100, channels: 2 });
      }),
      { seed: 11, numRuns: propertyRuns(300) },
    );
  });

  it('are read or declined, regardless of their content', () => {
    fc.assert(
      fc.property(junk, fc.boolean(), (bytes, plain) => {
        if (plain) bytes.set([0xff, 0xf1, 0x50, 0x80].slice(0, bytes.length));
        undefinedIfDeclined(() => new AdtsParser().read(bytes, 0, bytes.length, () => undefined));
      }),
      { seed: 12, numRuns: propertyRuns(2000) },
    );
  });
});
