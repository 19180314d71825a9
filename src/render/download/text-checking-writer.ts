import { isText, nonMediaKind, sniffLength } from '../../parsing/content-sniffing.ts';
import type { ByteWriter } from './file-writer.ts';
import { notMediaError, type Source } from './source-request.ts';

/** Minimum number of bytes needed to recognize text. */
const MIN_TEXT = 8;

/**
 * Checks the start of media before passing it to its writer. The response to an expired link is often a page or an error
 * message with status 200. Between valid segments, the engine would treat it as a pause. Only the engine can judge other
 * bytes, because media may start in many ways.
 *
 * `finish` throws `source_refused` for text.
 *
 * @param first - position of the first byte.
 */
export function createTextCheckingWriter(writer: ByteWriter, source: Source, first: number): ByteWriter {
  const head = Buffer.alloc(sniffLength);
  let headLength = 0;
  return {
    write(position, chunk) {
      const at = position - first;
      // A retry starts at the first byte again.
      if (at < sniffLength) headLength = at + chunk.copy(head, at);
      return writer.write(position, chunk);
    },
    flush: () => writer.flush(),
    async finish() {
      const begin = head.subarray(0, headLength);
      if (headLength >= MIN_TEXT && isText(begin) && !begin.toString('latin1').startsWith('WEBVTT')) {
        throw notMediaError(source, source.link.current.url, nonMediaKind(begin) ?? 'text');
      }
      return await writer.finish();
    },
  };
}
