import { hasMoreThanCode, languageCode, parseLanguageTag } from './language-code.ts';

/**
 * Returns the language that the media library is to write for a tag. In Matroska, {@link matroskaLanguage} replaces it.
 * Players of WebM read any tag in its place. The other muxers write only codes.
 */
export function languageForMuxer(tag: string, muxer: string): string {
  if (!hasMoreThanCode(tag) || parseLanguageTag(tag) === undefined) return languageCode(tag);
  if (muxer === 'matroska') return matroskaPlaceholder(tag);
  return muxer === 'webm' ? tag : languageCode(tag);
}

/** Sizes of the header of a language element, and of a code, in bytes. */
const [elementHead, codeBytes] = [4, 3];

/** Returns a language that takes as many bytes as {@link matroskaLanguage}, with its header. */
function matroskaPlaceholder(tag: string): string {
  return tag.padEnd(codeBytes + elementHead + tag.length, '.');
}

/** Returns the element that the muxer writes for a tag with more than a code in Matroska. */
export function matroskaPlaceholderElement(tag: string): Buffer {
  return languageElement(0x9c, matroskaPlaceholder(tag));
}

/**
 * Returns the language elements of a Matroska track: Language has a code, and LanguageBCP47, which newer players prefer,
 * has the tag (RFC 9559 §5.1.4.1.19 and §5.1.4.1.20).
 */
export function matroskaLanguage(tag: string): Buffer {
  return Buffer.concat([languageElement(0x9c, languageCode(tag)), languageElement(0x9d, tag)]);
}

function languageElement(lastIdByte: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(0x22, 0xb5, lastIdByte, 0x80 | text.length), Buffer.from(text, 'latin1')]);
}
