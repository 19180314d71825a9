import { createBytes } from './downloads.ts';
import type { RequestHandler } from './origin.ts';

/** A media playlist. */
export function createPlaylist(lines: readonly string[], ended = true): string {
  return ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, ...(ended ? ['#EXT-X-ENDLIST'] : [])].join('\n');
}

/** Answers with this, whatever is asked. */
export function respondWith(content: string | Buffer): RequestHandler {
  return (_request, response) => {
    response.writeHead(200).end(content);
  };
}

/** Twelve segments that begin differently. */
export const segments = Array.from({ length: 12 }, (_, index) =>
  createBytes(200_000 + index * 1000).fill(index, 0, 1000),
);

/** Where they lie. */
export const segmentPaths = segments.map((_, index) => `/seg-${index}`);

/** The playlist of all of them. */
export const playlistHandler = respondWith(createPlaylist(segmentPaths.flatMap((name) => ['#EXTINF:4,', name])));

/** All of them in a row. */
export const concatenatedSegments = Buffer.concat(segments);

/** Serves each segment in its way. */
export function segmentHandlers(
  serve: (bytes: Buffer, index: number) => RequestHandler,
): Record<string, RequestHandler> {
  return Object.fromEntries(segments.map((bytes, index) => [segmentPaths[index] ?? '', serve(bytes, index)]));
}
