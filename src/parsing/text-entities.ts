import { trimTrailing } from '../contract/trim-trailing.ts';

/** Maximum number of hashtags, mentions or links that are read from one text. */
const MAX_ENTITIES = 200;

/**
 * A hashtag: letters, digits, `_` and the marks that belong to them. Without marks (`\p{M}`), Hindi, Thai and Bengali
 * words end at their first vowel sign. The joiners U+200C and U+200D are parts of Persian and Indic words. Hashtags need
 * no space between them. `&#39;` is an HTML entity.
 */
const hashtag = /(?<!&)[#＃]([\p{L}\p{M}\p{N}_\u200c\u200d]{1,100})/gu;

/**
 * A mention: a name of ASCII letters, digits and `_`, with `.` only inside. Text in another script may follow it
 * without a space. In an e-mail address, `@` follows a letter.
 */
const mention = /(?<![\w.@/])[@＠](\w(?:[\w.]{0,62}\w)?)/g;

/** A link: visible ASCII characters without quotation marks and brackets, and letters of any script. */
const link = /https?:\/\/(?:[!#-&(-;=?-_a-z{}~]|[\p{L}\p{M}\p{N}]){4,2000}/giu;
const linkPunctuation = ',.;:!?*';

/** Returns the hashtags in a text without `#`, each once, in text order. */
export function hashtagsIn(text: string): readonly string[] {
  return unique(text.replace(link, ' '), hashtag);
}

/** Returns the names that a text mentions without `@`, each once, in text order. */
export function mentionsIn(text: string): readonly string[] {
  return unique(text.replace(link, ' '), mention);
}

/** Returns the links in a text, each once, in text order, without the punctuation that follows them. */
export function webLinksIn(text: string): readonly string[] {
  return [...new Set(unique(text, link).map(withoutPunctuation))];
}

/** Removes punctuation at the end, and a closing bracket unless the link has an opening one. */
function withoutPunctuation(url: string): string {
  return trimTrailing(url, url.includes('(') ? linkPunctuation : `${linkPunctuation})`);
}

/** Returns the matches of a pattern, or of its group if it has one. */
function unique(text: string, pattern: RegExp): readonly string[] {
  const found = new Set<string>();
  for (const [whole, part = whole] of text.matchAll(pattern)) {
    if (found.size === MAX_ENTITIES) break;
    found.add(part);
  }
  return [...found];
}
