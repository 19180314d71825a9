import { type PartHead, RangesUnsupported, readHead, requestFor, type Source } from '../download/source-request.ts';

/** The first byte: enough for a source to report the total size. */
const firstByte = { from: 0, to: 0, initial: true } as const;

/**
 * Requests the first byte of a source and returns the head of the response. Does not read the body.
 *
 * @throws MillraceError as fetching it would.
 */
export async function probeHead(source: Source): Promise<PartHead> {
  let part: PartHead = { from: 0, acceptsRanges: false };
  try {
    await source.egress.exchange(requestFor(source, source.link.current, firstByte), (head) => {
      part = readHead(source, firstByte, head);
      return undefined;
    });
  } catch (error) {
    // The source is then fetched as one stream, and its size is known at its end.
    if (!(error instanceof RangesUnsupported)) throw error;
  }
  return part;
}
