import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host whose segments end on demand. */
export interface LateHost {
  readonly url: string;
  /** Number of bytes that were sent of all segments. */
  readonly sentBytes: number;
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

/**
 * Starts a host of a playlist at any path that ends with `.m3u8`. Its first segment is short. The others have
 * `segmentBytes`. None states its size.
 */
export async function startLateHost(segmentBytes: number): Promise<LateHost> {
  const open = new Set<ServerResponse>();
  let sentBytes = 0;
  let isEnded = false;

  const lines = Array.from(
    { length: lateSegments },
    (_, at) => `#EXTINF:1,\n${at === 0 ? 'short' : 'long'}.ts?${at}\n`,
  );
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines.join('')}#EXT-X-ENDLIST\n`;

  async function sendSegment(response: ServerResponse, size: number): Promise<void> {
    response.writeHead(200, { 'content-type': 'video/mp2t' });
    open.add(response);
    response.on('close', () => open.delete(response));
    for (let rest = size; rest > 0 && !response.destroyed; rest -= packets.length) {
      const part = packets.subarray(0, rest);
      await new Promise((resolve) => response.write(part, resolve));
      sentBytes += part.length;
    }
    if (isEnded) response.end();
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path.endsWith('.m3u8')) {
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(playlist);
    } else void sendSegment(response, path.endsWith('short.ts') ? packetBytes : segmentBytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return sentBytes;
    },
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
