import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file of a hostile host. */
interface HostileFile {
  readonly body: () => Buffer;
  readonly encoding?: 'gzip' | 'br' | 'deflate';
}

const MIB = 1024 * 1024;

/** Repeats bytes up to a size. */
function fill(size: number, part: Buffer): Buffer {
  const bytes = Buffer.alloc(size - (size % part.length));
  return bytes.fill(part);
}

function repeat(count: number, part: (at: number) => string): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, at) => part(at)).join(''));
}

/** Writes 32-bit numbers. */
function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([numbers(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

/** A transport packet with a payload that begins a unit, or continues one. */
function packet(pid: number, starts: boolean, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(188, 0xff);
  bytes.set([0x47, (starts ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10]);
  payload.copy(bytes, 4);
  return bytes;
}

/** The tables of a stream with one video of H.264. */
const tables = Buffer.concat([
  packet(0, true, Buffer.from([0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0, 0, 0, 0, 0])),
  packet(
    0x1000,
    true,
    Buffer.from([0, 2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0, 0x1b, 0xe1, 0, 0xf0, 0, 0, 0, 0, 0]),
  ),
]);
const pesHeader = Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]);
/** NAL units of one byte, which say nothing. */
const units = fill(184, Buffer.from([0, 0, 1, 9]));

const longUnits = () => {
  const next = packet(0x100, false, units);
  return Buffer.concat([tables, packet(0x100, true, Buffer.concat([pesHeader, units])), fill(16 * MIB, next)]);
};
const shortUnits = () => {
  const begin = packet(0x100, true, Buffer.concat([pesHeader, units]));
  return Buffer.concat([tables, fill(16 * MIB, begin)]);
};
const malformedUnits = () => Buffer.concat([tables, fill(16 * MIB, packet(0x101, true, Buffer.from([0, 0, 1, 0xc0])))]);

const entry = Buffer.concat([
  numbers(0, 1),
  box('avc1', Buffer.alloc(78), box('avcC', Buffer.from([1, 66, 0xc0, 10, 0xfc, 0xe0, 0]))),
]);
const movie = box(
  'moov',
  box('mvhd', numbers(0, 0, 0, 1000, 0), Buffer.alloc(80)),
  box(
    'trak',
    box('tkhd', numbers(7, 0, 0, 1, 0, 0), Buffer.alloc(60)),
    box(
      'mdia',
      box('mdhd', numbers(0, 0, 0, 1000, 0, 0x55c4_0000)),
      box('hdlr', numbers(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
      box(
        'minf',
        box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1)))),
        box(
          'stbl',
          box('stsd', entry),
          box('stts', numbers(0, 0)),
          box('stsc', numbers(0, 0)),
          box('stsz', numbers(0, 0, 0)),
          box('stco', numbers(0, 0)),
        ),
      ),
    ),
  ),
  box('mvex', box('trex', numbers(0, 1, 1, 1, 1, 0))),
);
/** Fragments of the track, each with runs of as many samples as given, whose properties are the defaults. */
const fragment = (runs: number, samples: number) => {
  const run = box('trun', numbers(0, samples));
  return box(
    'moof',
    box('mfhd', numbers(0, 1)),
    box('traf', box('tfhd', numbers(0x2_0000, 1)), ...Array.from({ length: runs }, () => run)),
  );
};

const playlist = (lines: string) =>
  Buffer.from(`#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:20\n${lines}#EXT-X-ENDLIST\n`);
const twoSegments =
  (name: string, map = '') =>
  () =>
    playlist(`${map}#EXTINF:20,\n${name}\n#EXTINF:20,\n${name}\n#EXTINF:20,\n${name}\n`);
const mapped = '#EXT-X-MAP:URI="init.bin"\n';
const synchsafe = (value: number) =>
  Buffer.from([(value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127]);
const id3 = (size: number, frames: Buffer) =>
  Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), synchsafe(size), frames]);
const adts = fill(MIB, Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0]));
const cue = (at: number) => `${at}\n00:00:00,000 --> 00:00:01,000\na\n\n`;
/** Largest file of subtitles that is read. */
const subtitleBytes = 4_900_000;

/** A frame of silence in stereo, in ADTS (ISO/IEC 13818-7). */
const silence = Buffer.from('fff1508001bffc211004608c1c', 'hex');
/** Number of frames of the longest result that the service itself reads again. */
const resultFrames = 262_000;

/** The files, by name. */
export const hostileMedia: Readonly<Record<string, HostileFile>> = {
  'init.bin': { body: () => movie },
  'long-units.ts': { body: longUnits },
  'long-units.m3u8': { body: twoSegments('long-units.ts') },
  'short-units.ts': { body: shortUnits },
  'short-units.m3u8': { body: twoSegments('short-units.ts') },
  'malformed-units.ts': { body: malformedUnits },
  'malformed-units.m3u8': { body: twoSegments('malformed-units.ts') },
  'run.bin': { body: () => Buffer.concat([fragment(1, 4_900_000), Buffer.alloc(200_000)]) },
  'run.m3u8': { body: twoSegments('run.bin', mapped) },
  'runs.bin': { body: () => Buffer.concat(Array.from({ length: 40 }, () => fragment(9_000, 0))) },
  'runs.m3u8': { body: twoSegments('runs.bin', mapped) },
  'tags.bin': { body: () => fill(8 * MIB, id3(0, Buffer.alloc(0))) },
  'tags.m3u8': { body: twoSegments('tags.bin') },
  'frames.mp3': { body: () => id3(8 * MIB, fill(8 * MIB, Buffer.from('TXXX\0\0\0\x02\0\0\0a', 'latin1'))) },
  'silence.aac': { body: () => fill(resultFrames * silence.length, silence) },
  'cues.srt': { body: () => repeat(120_000, cue).subarray(0, subtitleBytes) },
  'cues.vtt': {
    body: () =>
      Buffer.concat([
        Buffer.from('WEBVTT\n\n'),
        repeat(120_000, (at) => `00:00:0${at % 9}.000 --> 00:00:09.000\n<c>a</c>\n\n`),
      ]).subarray(0, subtitleBytes),
  },
  'tags.vtt': { body: () => Buffer.from(`WEBVTT\n\n00:00:00.000 --> 00:00:09.000\n${'<c>'.repeat(1_600_000)}\n`) },
  'adts.aac': { body: () => fill(8 * MIB, adts) },
  'gzip.mp4': { encoding: 'gzip', body: () => gzipSync(Buffer.alloc(100 * MIB, 1)) },
  'brotli.mp4': { encoding: 'br', body: () => brotliCompressSync(Buffer.alloc(100 * MIB, 1)) },
};

/** A host of {@link hostileMedia} on loopback. */
export interface HostileHost {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the host. */
export async function startHostileHost(): Promise<HostileHost> {
  const bodies = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1).split('?')[0] ?? '';
    const file = Object.hasOwn(hostileMedia, name) ? hostileMedia[name] : undefined;
    if (file === undefined) return void response.writeHead(404).end();
    const body = bodies.get(name) ?? file.body();
    bodies.set(name, body);
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const coding = file.encoding === undefined ? {} : { 'content-encoding': file.encoding };
    const type = {
      'content-type': name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'application/octet-stream',
      ...coding,
    };
    if (range === null || file.encoding !== undefined)
      return void response.writeHead(200, { ...type, 'content-length': body.length }).end(body);
    const from = Number(range[1]);
    const end = Math.min(body.length, range[2] === '' ? body.length : Number(range[2]) + 1);
    if (from >= end) return void response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
    const part = { ...type, 'content-length': end - from, 'content-range': `bytes ${from}-${end - 1}/${body.length}` };
    response.writeHead(206, part).end(body.subarray(from, end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
