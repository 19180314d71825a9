import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { beginsDecoding } from '../../engine/formats/key-frames.ts';
import { readDecoderConfig, readSampleEntry } from '../../engine/mp4/sample-entry.ts';
import { declineExcerpt } from './media-index.ts';
import type { TrackBoxes } from './movie-boxes.ts';

/** Number of bytes at the beginning of a sample that tell whether decoding can begin there. */
export const keySampleBytes = 64 * 1024;

/**
 * Declines an excerpt whose video begins with a sample that is no key frame, although its file calls it one.
 *
 * @param track - a video track.
 * @param head - the first bytes of the sample, up to {@link keySampleBytes}.
 * @throws ExcerptDeclined
 */
export function requireKeySample({ table }: TrackBoxes, head: Buffer): void {
  const description = table.find(({ type }) => type === 'stsd');
  if (description === undefined) return;
  // Unusual sample descriptions are not checked.
  const begins = undefinedIfDeclined(() => {
    const { codec } = readSampleEntry(description.body, 'vide');
    return beginsDecoding(codec, readDecoderConfig(description.bytes), head);
  });
  if (begins === false) declineExcerpt('its index does not lead to key frames');
}
