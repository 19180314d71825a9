import { createBytes } from './downloads.ts';
import type { RequestHandler } from './origin.ts';

/** Returns a media playlist. */
export function createPlaylist(lines: readonly string[], ended = true): string {
  return `${['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, ...(ended ? ['#EXT-X-ENDLIST'] : [])].join('\n')}\n`;
}

/** Returns a handler that responds with this content to any request. */
export function respondWith(content: string | Buffer): RequestHandler {
  return (_request, response) => {
    response.writeHead(200).end(content);
  };
}

/** Twelve segments that start differently. */
export const segments = Array.from({ length: 12 }, (_, index) =>
  createBytes(200_000 + index * 1000).fill(index, 0, 1000),
);

/** The paths of {@link segments}. */
export const segmentPaths = segments.map((_, index) => `/seg-${index}`);

/** Serves the playlist of all segments. */
export const playlistHandler = respondWith(createPlaylist(segmentPaths.flatMap((name) => ['#EXTINF:4,', name])));

/** All segments, concatenated. */
export const concatenatedSegments = Buffer.concat(segments);

/** Returns a handler for each segment. */
export function segmentHandlers(
  serve: (bytes: Buffer, index: number) => RequestHandler,
): Record<string, RequestHandler> {
  return Object.fromEntries(segments.map((bytes, index) => [segmentPaths[index] ?? '', serve(bytes, index)]));
}
