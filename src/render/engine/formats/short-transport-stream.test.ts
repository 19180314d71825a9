import { describe, expect, it } from 'vitest';
import { isShortTransportStream, paddingFor } from './short-transport-stream.ts';

const packets = (count: number) => {
  const bytes = Buffer.alloc(count * 188);
  for (let at = 0; at < count; at += 1) bytes[at * 188] = 0x47;
  return bytes;
};
const source = (bytes: Buffer) => ({
  size: bytes.length,
  read: (at: number, length: number) => bytes.subarray(at, at + length),
});

describe('short MPEG-TS files', () => {
  it.each([1, 5, 11])('have %i packets', (count) => expect(isShortTransportStream(source(packets(count)))).toBe(true));

  it.each([
    ['no byte', Buffer.alloc(0)],
    ['12 packets', packets(12)],
    ['a packet that is cut', packets(5).subarray(0, 900)],
    ['a packet of something else', Buffer.concat([packets(2), Buffer.alloc(188)])],
  ])('do not include a file with %s', (_what, bytes) => expect(isShortTransportStream(source(bytes))).toBe(false));

  it('become long enough with null packets', () => {
    const padding = paddingFor(5 * 188);
    expect(padding.length).toBe(7 * 188);
    for (let at = 0; at < padding.length; at += 188) expect(padding.readUInt32BE(at)).toBe(0x471fff10);
    expect(paddingFor(12 * 188).length).toBe(0);
  });
});
