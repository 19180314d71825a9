import type { LanguageTags } from '../../tasks/additions.ts';
import { type Box, childBoxes, requiredBox } from '../box-reader.ts';
import { box, fullBox, latin1 } from '../box-writer.ts';
import { handlerOf } from './chapter-reader.ts';

/** Kinds of tracks by handler. */
const kinds = new Map<string, keyof LanguageTags>([
  ['soun', 'audio'],
  ['sbtl', 'subtitle'],
  ['text', 'subtitle'],
  ['subp', 'subtitle'],
]);

/**
 * Returns the body of an index whose tracks state whole language tags (ISO/IEC 14496-12 §8.4.6). The media library
 * writes only codes, which have no region and no script.
 */
export function withLanguageTags(movie: Buffer, tags: LanguageTags): Buffer {
  const next = { audio: 0, subtitle: 0 };
  const boxes = childBoxes(movie).map((one) => {
    if (one.type !== 'trak') return one.bytes;
    const parts = childBoxes(one.body);
    const kind = kinds.get(handlerOf(parts));
    if (kind === undefined) return one.bytes;
    const tag = tags[kind][next[kind]];
    next[kind] += 1;
    return tag === undefined ? one.bytes : box('trak', ...parts.map((part) => taggedMedia(part, tag)));
  });
  return Buffer.concat(boxes);
}

/** Adds a language tag to the media of a track. It precedes the handler. */
function taggedMedia(part: Box, tag: string): Buffer {
  if (part.type !== 'mdia') return part.bytes;
  const parts = childBoxes(part.body);
  requiredBox(parts, 'hdlr');
  const contents = parts.flatMap(({ type, bytes }) => {
    return type === 'hdlr' ? [fullBox('elng', 0, 0, latin1(`${tag}\0`)), bytes] : [bytes];
  });
  return box('mdia', ...contents);
}
