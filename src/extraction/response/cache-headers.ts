import type { Account } from '../../accounts/keys.ts';
import type { ExtractedContent, ExtractionResult } from '../../contract/envelope.ts';
import type { SourceResult } from '../cache/result-cache.ts';

/** Cache headers of every response, unless {@link cacheHeaders} replaces them: the response is only for its caller. */
export const privateHeaders = { 'cache-control': 'private, no-store', vary: 'X-Marketplace-Key' } as const;

/**
 * Returns headers that state how long a caller may cache a response (RFC 9111): as long as its result is fresh, counted
 * from `Age` seconds ago. Responses with sealed links must not be cached, because those links are created for each
 * request.
 */
export function cacheHeaders(
  { fetchedAt, expiresAt, isCached }: SourceResult,
  isSealed: boolean,
): Record<string, string> {
  const now = Date.now();
  const age = isCached ? { age: String(Math.floor((now - fetchedAt) / 1_000)) } : {};
  if (isSealed || expiresAt <= now) return age;
  return { ...age, 'cache-control': `private, max-age=${Math.floor((expiresAt - fetchedAt) / 1_000)}` };
}

/**
 * Whether a response contains sealed links. Responses to visitors always do, because at least their image links are
 * sealed.
 *
 * @param base Base URL of the extraction API, below which relay links are.
 */
export function isSealed({ contents = [] }: ExtractionResult, { visitor }: Account, base: string): boolean {
  if (visitor !== undefined) return true;
  return contents.some((content) => hasSealedLinks(content, `${base}/relay/`));
}

function hasSealedLinks(content: ExtractedContent, relayBase: string): boolean {
  const { videos = [], audios = [], images = [], renderableVideos = [], renderableAudios = [] } = content;
  return (
    [...renderableVideos, ...renderableAudios].some(({ renderConfig }) => renderConfig !== undefined) ||
    [...videos, ...audios, ...images].some(({ url }) => url.startsWith(relayBase))
  );
}
