import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { childBoxes, readBoxBody, readTopBoxes, requiredBox } from './box-reader.ts';
import { maxMovieBytes } from './movie-reader.ts';

/** Handlers of subtitle tracks. Chapter tracks also use `text`, but they come after all subtitle tracks. */
const subtitleHandlers = new Set(['sbtl', 'text', 'subp']);

/**
 * Disables those subtitle tracks of a finished MP4 or QuickTime file that players must not show by default. If no
 * subtitle track is the default, the muxer enables the first.
 *
 * @param enabled - whether each subtitle track stays enabled, in track order.
 */
export function disableSubtitleTracks(path: string, enabled: readonly boolean[]): void {
  for (const offset of withFile(path, subtitleFlagOffsets).filter((_, at) => enabled[at] === false)) {
    const byte = withFile(path, (source) => source.read(offset, 1));
    overwrite(path, offset, Buffer.of((byte[0] ?? 0) & ~1));
  }
}

/**
 * Returns an offset for each subtitle track: that of the last byte of the flags in its header (ISO/IEC 14496-12
 * §8.3.2).
 */
function subtitleFlagOffsets(source: Parameters<typeof readTopBoxes>[0]): number[] {
  const moov = readTopBoxes(source).find(({ type }) => type === 'moov');
  if (moov === undefined) throw new Error('the muxer wrote no index');
  const index = readBoxBody(source, moov, maxMovieBytes);
  return childBoxes(index).flatMap(({ type, body }) => {
    if (type !== 'trak') return [];
    const boxes = childBoxes(body);
    const handler = requiredBox(childBoxes(requiredBox(boxes, 'mdia')), 'hdlr').toString('latin1', 8, 12);
    if (!subtitleHandlers.has(handler)) return [];
    return [moov.offset + moov.headerBytes + requiredBox(boxes, 'tkhd').byteOffset - index.byteOffset + 3];
  });
}
