import { FieldReader } from '../binary/field-reader.ts';
import { childBoxes, optionalBox, requireKnownBoxes } from './box-reader.ts';

const userBoxes = new Set(['meta', 'free', 'skip']);
const metaBoxes = new Set(['hdlr', 'ilst', 'free', 'skip']);

/** Tags that name the program that wrote the file, or that a site uses internally. The engine drops them too. */
const ignoredTags = new Set(['\xa9too', '\xa9enc', '\xa9swr', 'gsst', 'gstd', 'gssd', 'gspu', 'gspm', 'gshh', 'free']);

/**
 * Declines a `udta` box with metadata that a result should keep: titles, covers, chapters. The engine handles these
 * files.
 *
 * @throws FastPathDeclined
 */
export function requireNoMetadata(userData: Buffer | undefined): void {
  if (userData === undefined) return;
  const boxes = childBoxes(userData);
  requireKnownBoxes(boxes, userBoxes, 'among its metadata');
  const meta = optionalBox(boxes, 'meta');
  if (meta === undefined) return;
  const fields = new FieldReader(meta);
  fields.versionAndFlags();
  const parts = childBoxes(fields.bytes(fields.remaining));
  requireKnownBoxes(parts, metaBoxes, 'among its metadata');
  requireKnownBoxes(childBoxes(optionalBox(parts, 'ilst') ?? Buffer.alloc(0)), ignoredTags, 'among its tags');
}
