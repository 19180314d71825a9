import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';

/** A host whose segments end on demand. */
export interface LateHost {
  readonly url: string;
  /** Number of bytes that were sent of all segments, and that each of the long ones has. */
  readonly sentBytes: number;
  readonly bytesPerSegment: number;
  /** Ends all segments, and those that are requested later. */
  endSegments(): void;
  close(): Promise<void>;
}

/** Number of segments of a playlist. */
export const lateSegments = 16;

const packetBytes = 188;
/** Null packets of MPEG-TS (ISO/IEC 13818-1 §2.4.3.3). */
const packets = Buffer.alloc(1_000 * packetBytes, 0xff);
for (let at = 0; at < packets.length; at += packetBytes) packets.set([0x47, 0x1f, 0xff, 0x10], at);

function longSegment(size: number, coding: 'br' | undefined): Buffer {
  const bytes = Buffer.alloc(size, packets);
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_QUALITY } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_QUALITY]: 4 };
  return coding === undefined ? bytes : brotliCompressSync(bytes, { params });
}

/**
 * Starts a host of a playlist at any path that ends with `.m3u8`. Its first segment is short. The others have
 * `segmentBytes`, and are in Brotli coding with the largest window if `coding` is `br`. None states its size.
 */
export async function startLateHost(segmentBytes: number, coding?: 'br'): Promise<LateHost> {
  const open = new Set<ServerResponse>();
  let sentBytes = 0;
  const segment = longSegment(segmentBytes, coding);
  let isEnded = false;

  const lines = Array.from(
    { length: lateSegments },
    (_, at) => `#EXTINF:1,\n${at === 0 ? 'short' : 'long'}.ts?${at}\n`,
  );
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines.join('')}#EXT-X-ENDLIST\n`;

  async function sendSegment(response: ServerResponse, bytes: Buffer, headers = {}): Promise<void> {
    response.writeHead(200, { 'content-type': 'video/mp2t', ...headers });
    open.add(response);
    response.on('close', () => open.delete(response));
    for (let at = 0; at < bytes.length && !response.destroyed; at += packets.length) {
      const part = bytes.subarray(at, at + packets.length);
      await new Promise((resolve) => response.write(part, resolve));
      sentBytes += part.length;
    }
    if (isEnded) response.end();
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path.endsWith('.m3u8')) {
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(playlist);
    } else if (path.endsWith('short.ts')) void sendSegment(response, packets.subarray(0, packetBytes));
    else void sendSegment(response, segment, coding && { 'content-encoding': coding });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return sentBytes;
    },
    bytesPerSegment: segment.length,
    endSegments() {
      isEnded = true;
      for (const response of open) response.end();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
