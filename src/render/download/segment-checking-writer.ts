import { MillraceError } from '../../contract/errors.ts';
import { isText, nonMediaKind, sniffLength } from '../../parsing/content-sniffing.ts';
import type { ByteWriter } from './file-writer.ts';
import { notMediaError, type Source } from './source-request.ts';

/** Fewer bytes do not show that they are text. */
const MIN_TEXT = 8;

/**
 * Checks how a segment begins, in front of its writer. The response to an expired link is often an error message with
 * status 200, or empty. Between good segments, the engine would take both for a pause. Only the engine can judge other
 * bytes: media may begin in many ways.
 *
 * `finish` throws `download_incomplete` for an empty segment and `source_refused` for text.
 *
 * @param first - position of the segment's first byte.
 */
export function createSegmentCheckingWriter(writer: ByteWriter, source: Source, first: number): ByteWriter {
  const head = Buffer.alloc(sniffLength);
  let headLength = 0;
  return {
    write(position, chunk) {
      const at = position - first;
      // Another try begins at the first byte.
      if (at < sniffLength) headLength = at + chunk.copy(head, at);
      return writer.write(position, chunk);
    },
    flush: () => writer.flush(),
    async finish() {
      if (headLength === 0) {
        throw new MillraceError('download_incomplete', `${source.name} is empty. Start the same job again.`);
      }
      const begin = head.subarray(0, headLength);
      if (headLength >= MIN_TEXT && isText(begin) && !begin.toString('latin1').startsWith('WEBVTT')) {
        throw notMediaError(source, source.url, nonMediaKind(begin) ?? 'text');
      }
      return await writer.finish();
    },
  };
}
