import type { Account } from '../accounts/keys.ts';
import type { ExtractedContent, ExtractionResult } from '../contract/envelope.ts';
import type { Answer } from './answers.ts';

/** What every answer says, until it is known that it may be kept: it is for the caller who asked. */
export const callersOwn = { 'cache-control': 'private, no-store', vary: 'X-Marketplace-Key' } as const;

/**
 * How long a caller may keep an answer (RFC 9111): as long as its data are good, counted from `Age` seconds ago. Sealed
 * links are made anew for each request, and are not to be kept.
 */
export function cacheHeaders({ at, goodUntil, kept }: Answer, sealed: boolean): Record<string, string> {
  const now = Date.now();
  const age = kept ? { age: String(Math.floor((now - at) / 1_000)) } : {};
  if (sealed || goodUntil <= now) return age;
  return { ...age, 'cache-control': `private, max-age=${Math.floor((goodUntil - at) / 1_000)}` };
}

/**
 * Whether an answer holds sealed links. Those of visitors do, if only to pictures.
 *
 * @param base Address of the extraction API, where relay links begin.
 */
export function isSealed({ contents = [] }: ExtractionResult, { visitor }: Account, base: string): boolean {
  if (visitor !== undefined) return true;
  return contents.some((content) => holdsSealedLinks(content, `${base}/relay/`));
}

function holdsSealedLinks(content: ExtractedContent, relayBase: string): boolean {
  const { videos = [], audios = [], images = [], renderableVideos = [], renderableAudios = [] } = content;
  return (
    [...renderableVideos, ...renderableAudios].some(({ renderConfig }) => renderConfig !== undefined) ||
    [...videos, ...audios, ...images].some(({ url }) => url.startsWith(relayBase))
  );
}
