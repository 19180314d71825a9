import { FieldReader } from '../binary/field-reader.ts';
import { children, optional, requireKnownBoxes } from './boxes.ts';

const userBoxes = new Set(['meta', 'free', 'skip']);
const metaBoxes = new Set(['hdlr', 'ilst', 'free', 'skip']);

/** Tags that speak of the program that wrote the file, or are a site's own bookkeeping; the engine drops them too. */
const trivialTags = new Set(['\xa9too', '\xa9enc', '\xa9swr', 'gsst', 'gstd', 'gssd', 'gspu', 'gspm', 'gshh', 'free']);

/**
 * Looks into a `udta` box for what a result should keep: titles, covers, chapters. All of that is the engine's.
 *
 * @throws FastPathDeclined when there is any.
 */
export function demandNoMetadata(userData: Buffer | undefined): void {
  if (userData === undefined) return;
  const boxes = children(userData);
  requireKnownBoxes(boxes, userBoxes, 'among its metadata');
  const meta = optional(boxes, 'meta');
  if (meta === undefined) return;
  const fields = new FieldReader(meta);
  fields.versionAndFlags();
  const parts = children(fields.bytes(fields.remaining));
  requireKnownBoxes(parts, metaBoxes, 'among its metadata');
  requireKnownBoxes(children(optional(parts, 'ilst') ?? Buffer.alloc(0)), trivialTags, 'among its tags');
}
