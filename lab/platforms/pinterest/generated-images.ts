import { crc32, deflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** Returns a grey PNG (RFC 2083): one byte per pixel, and a filter byte in front of each row. */
export function pngOf({ width, height }: Pixels): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 0x90);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

/** Returns a GIF of two one-pixel frames on a canvas of the given size: the smallest animated image. */
export function gifOf({ width, height }: Pixels): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const colours = Buffer.from([0x90, 0x70, 0x50, 0xff, 0xff, 0xff]);
  const loop = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1');
  const frame = (colour: number) =>
    Buffer.from([
      0x21,
      0xf9,
      4,
      0,
      50,
      0,
      0,
      0,
      0x2c,
      0,
      0,
      0,
      0,
      1,
      0,
      1,
      0,
      0,
      2,
      2,
      colour === 0 ? 0x44 : 0x4c,
      1,
      0,
    ]);
  return Buffer.concat([head, colours, loop, frame(0), frame(1), Buffer.from([0x3b])]);
}
