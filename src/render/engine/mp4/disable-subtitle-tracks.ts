import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { children, readBody, required, topBoxes } from './boxes.ts';
import { maxMovieBytes } from './movie.ts';

/** Handlers of subtitle tracks. That of chapters is `text` too; they come last. */
const subtitleHandlers = new Set(['sbtl', 'text', 'subp']);

/**
 * Switches off the subtitle tracks of a finished MP4 or QuickTime file that players are not to show by themselves. The
 * muxer switches on the first of them where none is the default.
 *
 * @param on - whether each subtitle track stays on, in their order.
 */
export function switchOffSubtitles(path: string, on: readonly boolean[]): void {
  for (const offset of withFile(path, flagsOfSubtitles).filter((_, at) => on[at] === false)) {
    const byte = withFile(path, (source) => source.read(offset, 1));
    overwrite(path, offset, Buffer.of((byte[0] ?? 0) & ~1));
  }
}

/** Positions of the last byte of the flags in the headers of subtitle tracks (ISO/IEC 14496-12 §8.3.2). */
function flagsOfSubtitles(source: Parameters<typeof topBoxes>[0]): number[] {
  const moov = topBoxes(source).find(({ type }) => type === 'moov');
  if (moov === undefined) throw new Error('the muxer wrote no index');
  const index = readBody(source, moov, maxMovieBytes);
  return children(index).flatMap(({ type, body }) => {
    if (type !== 'trak') return [];
    const boxes = children(body);
    const handler = required(children(required(boxes, 'mdia')), 'hdlr').toString('latin1', 8, 12);
    if (!subtitleHandlers.has(handler)) return [];
    return [moov.offset + moov.headerBytes + required(boxes, 'tkhd').byteOffset - index.byteOffset + 3];
  });
}
