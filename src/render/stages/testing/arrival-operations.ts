import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { makeFilm } from '../../download/excerpt/testing/make-film.ts';
import { type RequestHandler, serveRanges, serveWhole } from '../../download/testing/origin.ts';
import { createPlaylist, respondWith } from '../../download/testing/playlist-handlers.ts';
import { type MediaDirectory, makeMedia } from '../../engine/testing/test-media.ts';

/** A job whose inputs arrive in one of the ways that Millrace supports. Links are paths at the origin. */
export interface ArrivalOperation {
  readonly name: string;
  readonly inputs: readonly { readonly url: string; readonly ext: string }[];
  readonly type: string;
  readonly ext: string;
  /** Further members of the job. */
  readonly job?: Record<string, unknown>;
  /** Files that the job adds to its result. */
  readonly additions?: { readonly cover: string; readonly subtitles: string };
  /** Whether the fragments of the inputs are placed in the result. */
  readonly isPlaced?: true;
  /** Whether the download is interrupted and resumed. */
  readonly isResumed?: true;
  /** Whether the result is made and compared, too. */
  readonly isProcessed?: true;
}

/** Creates the operations, and the handlers of their origin. */
export async function createArrivalOperations(): Promise<{
  readonly operations: readonly ArrivalOperation[];
  readonly handlers: Record<string, RequestHandler>;
}> {
  const media = await makeMedia(
    'av.mp4',
    'moov-last.mp4',
    'v.mp4',
    'a.m4a',
    'av.ts',
    'wide.jpg',
    'tall.png',
    'gop.mp4',
  );
  try {
    return { operations, handlers: handlersOf(media) };
  } finally {
    media.remove();
  }
}

const input = (url: string) => ({ url, ext: url.split('.').at(-1) ?? '' });
const processed = { isProcessed: true } as const;
const resumed = { isResumed: true } as const;
const placed = {
  inputs: [input('/film.mp4'), input('/other.mp4')],
  type: 'join_streams',
  ext: 'mp4',
  isPlaced: true,
} as const;

const operations: readonly ArrivalOperation[] = [
  { name: 'a file in ranges', inputs: [input('/av.mp4')], type: 'no_process', ext: 'mp4', ...processed },
  { name: 'a resumed file', inputs: [input('/film.mp4')], type: 'no_process', ext: 'mp4', ...processed, ...resumed },
  { name: 'MPEG-TS in one response', inputs: [input('/whole.ts')], type: 'convert_format', ext: 'mp4', ...processed },
  { name: 'MP4 in a gzip response', inputs: [input('/coded.mp4')], type: 'convert_format', ext: 'mov', ...processed },
  { name: 'a remuxed MP4', inputs: [input('/moov-last.mp4')], type: 'convert_format', ext: 'mp4', ...processed },
  {
    name: 'video and audio',
    inputs: [input('/v.mp4'), input('/a.m4a')],
    type: 'join_streams',
    ext: 'mp4',
    ...processed,
  },
  { name: 'extracted audio', inputs: [input('/av.mp4')], type: 'extract_audio', ext: 'm4a', ...processed },
  { name: 'HLS', inputs: [input('/list.m3u8')], type: 'convert_format', ext: 'mp4', ...processed },
  { name: 'resumed HLS', inputs: [input('/list.m3u8')], type: 'convert_format', ext: 'mp4', ...processed, ...resumed },
  { name: 'encrypted HLS', inputs: [input('/keys.m3u8')], type: 'convert_format', ext: 'mp4', ...processed },
  { name: 'HLS byte ranges', inputs: [input('/ranges.m3u8')], type: 'convert_format', ext: 'mp4', ...processed },
  {
    ...{ name: 'a clip', inputs: [input('/gop.mp4')], type: 'convert_format', ext: 'mp4', ...processed },
    job: { clip: { start: 1.5, end: 2.5 } },
  },
  {
    ...{ name: 'a clip of a long file', inputs: [input('/film.mp4')], type: 'convert_format', ext: 'mp4' },
    job: { clip: { start: 40, end: 50 } },
  },
  {
    ...{ name: 'a cover and subtitles', inputs: [input('/av.mp4')], type: 'convert_format', ext: 'mp4', ...processed },
    additions: { cover: '/wide.jpg', subtitles: '/words.srt' },
  },
  {
    ...{ name: 'a slideshow', inputs: [input('/wide.jpg'), input('/tall.png'), input('/a.m4a')], type: 'slideshow' },
    ext: 'mp4',
  },
  { name: 'placed fragments', ...placed },
  { name: 'resumed placed fragments', ...placed, ...resumed },
];

const key = Buffer.alloc(16, 7);

/** Serves everything that the operations fetch. */
function handlersOf(media: MediaDirectory): Record<string, RequestHandler> {
  const read = (name: string) => readFileSync(media.file(name));
  const inRanges = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`/${name}`, serveRanges(read(name))]));
  const coded = gzipSync(read('av.mp4'));
  const stream = read('av.ts');
  const size = Math.ceil(stream.length / 188 / 5) * 188;
  const segments = Array.from({ length: 5 }, (_, at) => stream.subarray(at * size, (at + 1) * size));
  const listOf = (path: string) => segments.flatMap((_, at) => ['#EXTINF:0.8,', `${path}${at}`]);
  const ranges = segments.flatMap(({ length }, at) => [
    '#EXTINF:0.8,',
    `#EXT-X-BYTERANGE:${length}@${at * size}`,
    '/av.ts',
  ]);
  const segmentHandlers = segments.flatMap((segment, at): [string, RequestHandler][] => {
    const iv = Buffer.alloc(16);
    iv.writeUInt32BE(at, 12);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const encrypted = Buffer.concat([cipher.update(segment), cipher.final()]);
    return [
      [`/plain-${at}`, serveRanges(segment)],
      [`/secret-${at}`, serveRanges(encrypted)],
    ];
  });
  return {
    ...inRanges(['av.mp4', 'moov-last.mp4', 'v.mp4', 'a.m4a', 'av.ts', 'wide.jpg', 'tall.png', 'gop.mp4']),
    ...Object.fromEntries(segmentHandlers),
    '/whole.ts': serveWhole(stream),
    '/coded.mp4': (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(coded),
    '/film.mp4': serveRanges(makeFilm({ seconds: 100, frameBytes: 300 })),
    '/other.mp4': serveRanges(makeFilm({ seconds: 80, frameBytes: 250 })),
    '/words.srt': respondWith('1\n00:00:00,500 --> 00:00:02,000\nThe words of the film\n'),
    '/key': respondWith(key),
    '/list.m3u8': respondWith(createPlaylist(listOf('/plain-'))),
    '/keys.m3u8': respondWith(createPlaylist(['#EXT-X-KEY:METHOD=AES-128,URI="/key"', ...listOf('/secret-')])),
    '/ranges.m3u8': respondWith(createPlaylist(ranges)),
  };
}
