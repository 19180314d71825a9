import { body } from './downloads.ts';
import type { Behaviour } from './origin.ts';

/** A media playlist. */
export function playlistOf(lines: readonly string[], ended = true): string {
  return ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, ...(ended ? ['#EXT-X-ENDLIST'] : [])].join('\n');
}

/** Answers with this, whatever is asked. */
export function says(content: string | Buffer): Behaviour {
  return (_request, response) => {
    response.writeHead(200).end(content);
  };
}

/** Twelve segments that begin differently. */
export const segments = Array.from({ length: 12 }, (_, index) => body(200_000 + index * 1000).fill(index, 0, 1000));

/** Where they lie. */
export const names = segments.map((_, index) => `/seg-${index}`);

/** The playlist of all of them. */
export const media = says(playlistOf(names.flatMap((name) => ['#EXTINF:4,', name])));

/** All of them in a row. */
export const whole = Buffer.concat(segments);

/** Serves each segment in its way. */
export function served(serve: (bytes: Buffer, index: number) => Behaviour): Record<string, Behaviour> {
  return Object.fromEntries(segments.map((bytes, index) => [names[index] ?? '', serve(bytes, index)]));
}
