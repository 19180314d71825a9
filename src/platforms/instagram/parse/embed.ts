import { parseSiteJson } from '../../reading.ts';
import { parseAnswer } from './answer.ts';
import { findPostInJson, type PostResult } from './find-post.ts';

/** Finds a post in the embed page, whose data is JSON inside a JSON string. */
export function findPostInEmbed(html: string, code: string): PostResult | undefined {
  const literal = contextLiteral(html);
  const context = literal === undefined ? undefined : parseSiteJson(literal);
  return typeof context === 'string' ? findPostInJson(parseAnswer(context), code) : undefined;
}

/** Returns the JSON string after `"contextJSON":`, with its quotes. */
function contextLiteral(html: string): string | undefined {
  const name = '"contextJSON":';
  const begin = html.indexOf(`${name}"`);
  if (begin < 0) return undefined;
  const first = begin + name.length;
  for (let at = first + 1; at < html.length; at += 1) {
    if (html[at] === '"') return html.slice(first, at + 1);
    if (html[at] === '\\') at += 1;
  }
  return undefined;
}
