import { MillraceError } from '../../contract/errors.ts';
import { headBytes, isText, notMediaKind } from '../engine/formats/sniff-non-media.ts';
import type { ByteWriter } from './file-writer.ts';
import { refusedInstead, type Source } from './source.ts';

/** Fewer bytes say nothing. */
const leastText = 8;

/**
 * Looks at how a segment begins, in front of its writer. Expired links are often answered with status 200 and an error
 * message, or with nothing. Between good segments, the engine would take both for a pause. Other bytes are the engine's
 * to judge: media may begin in many ways.
 *
 * `finish` throws `download_incomplete` for an empty segment and `source_refused` for text.
 *
 * @param first - position of the segment's first byte.
 */
export function createSegmentWriter(writer: ByteWriter, source: Source, first: number): ByteWriter {
  const head = Buffer.alloc(headBytes);
  let known = 0;
  return {
    write(position, piece) {
      const at = position - first;
      // Another try begins at the first byte.
      if (at < headBytes) known = at + piece.copy(head, at);
      return writer.write(position, piece);
    },
    flush: () => writer.flush(),
    async finish() {
      if (known === 0) {
        throw new MillraceError('download_incomplete', `${source.name} is empty. Start the same job again.`);
      }
      const begin = head.subarray(0, known);
      if (known >= leastText && isText(begin) && !begin.toString('latin1').startsWith('WEBVTT')) {
        throw refusedInstead(source, source.url, notMediaKind(begin) ?? 'text');
      }
      return await writer.finish();
    },
  };
}
