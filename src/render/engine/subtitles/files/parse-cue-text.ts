import { type CueText, type StyleMark, subtitleLimits } from './file-cue.ts';

/** Tags of SubRip and WebVTT, and the positions and styles that SubRip files take from SubStation Alpha. */
const markup = /<(\/?)([a-zA-Z][^<>\n]{0,500})>|<\/>|<[\d:.]{3,20}>|\{\\[^{}\n]{0,500}\}/g;
const styles = ['i', 'b', 'u'] as const;

/** The text of a cue, and whether it was longer than the limit. */
interface ParsedText {
  readonly text: CueText;
  readonly isShortened: boolean;
}

/** How a format writes text. */
export interface TextFormat {
  /** Decodes the characters between two tags. */
  readonly decode?: (text: string) => string;
  /** Set if the text has no markup. */
  readonly isPlain?: true;
}

/**
 * Parses the text of a cue. Keeps italic, bold and underlined text, and removes all other markup, empty lines and control
 * characters.
 */
export function parseCueText(source: string, { decode = (text) => text, isPlain }: TextFormat): ParsedText {
  // Markup takes space, but no sensible text is several times longer with it.
  const limited = source.slice(0, subtitleLimits.cueText * 8);
  const parts: (string | StyleMark)[] = [];
  const open: StyleMark['style'][] = [];
  let remaining = subtitleLimits.cueText;
  let isShortened = limited.length < source.length;
  const addText = (raw: string) => {
    const text = decode(raw).replaceAll(/[^\P{Cc}\n]/gu, ' ');
    const kept = text.length <= remaining ? text : text.slice(0, remaining).toWellFormed();
    if (kept.length < text.length) isShortened = true;
    remaining -= kept.length;
    if (kept !== '') parts.push(kept);
  };
  const end = (style: StyleMark['style']) => {
    parts.push({ style, isEnd: true });
    open.splice(open.lastIndexOf(style), 1);
  };
  let at = 0;
  for (const match of isPlain === true ? [] : limited.matchAll(markup)) {
    addText(limited.slice(at, match.index));
    at = match.index + match[0].length;
    const style = styles.find((one) => one === nameOf(match[2]));
    if (style === undefined) continue;
    if (match[1] === '/') while (open.includes(style)) end(open.at(-1) ?? style);
    else if (!open.includes(style)) {
      open.push(style);
      parts.push({ style, isEnd: false });
    }
  }
  addText(limited.slice(at));
  while (open.length > 0) end(open.at(-1) ?? 'i');
  return { text: trimLines(parts), isShortened };
}

/** Returns the name of a tag: `i` for `i.loud`. */
function nameOf(tag = ''): string {
  return /^[a-z0-9]+/i.exec(tag)?.[0].toLowerCase() ?? '';
}

/** Removes empty lines and the space around lines. A mark is neither. */
function trimLines(parts: readonly (string | StyleMark)[]): CueText {
  let isLineStart = true;
  let pending = '';
  const trimmed: (string | StyleMark)[] = [];
  for (const part of parts) {
    if (typeof part !== 'string') {
      // The space before a style does not belong to it.
      if (!part.isEnd && pending !== '') {
        trimmed.push(pending);
        pending = '';
      }
      trimmed.push(part);
      continue;
    }
    let text = '';
    for (const piece of part.split(/([ \u00a0]+|\n)/)) {
      if (piece === '') continue;
      if (piece === '\n') [pending, isLineStart] = [isLineStart ? pending : '\n', true];
      else if (/^[ \u00a0]/.test(piece)) pending = isLineStart ? pending : piece;
      else [text, pending, isLineStart] = [`${text}${pending}${piece}`, '', false];
    }
    if (text !== '') trimmed.push(text);
  }
  return trimmed.some((part) => typeof part === 'string') ? trimmed : [];
}
