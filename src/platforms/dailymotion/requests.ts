import type { SourceClient, SourceResponse } from '../platform.ts';
import { changedHeaders, type Headers } from '../request-headers.ts';
import { factFields } from './parse/rest-facts.ts';
import { type Device, FACTS_TIMEOUT_MS, type Site } from './site.ts';

const SITE = 'https://www.dailymotion.com';
const MIB = 1024 * 1024;

/** How the player identifies itself. */
interface PlayerVariation {
  readonly device?: Device;
  /** The page that the player claims to be embedded in. */
  readonly embedder?: string;
}

function headers(site: Site, builtIn: Headers, device: Device = 'desktop') {
  // This also sets the language of the site's refusals, which callers see.
  const language = { 'accept-language': 'en-US,en;q=0.9' };
  const common = { 'user-agent': site.userAgents[device], ...language, origin: SITE, referer: `${SITE}/` };
  return changedHeaders({ ...common, ...builtIn }, site.headers);
}

/** Requests a video's metadata from the player's endpoint. */
export function requestMetadata(
  source: SourceClient,
  site: Site,
  videoId: string,
  { device, embedder }: PlayerVariation = {},
): Promise<SourceResponse> {
  const query = new URLSearchParams({ app: 'com.dailymotion.neon', ...(embedder === undefined ? {} : { embedder }) });
  return source.get(`${SITE}/player/metadata/video/${videoId}?${query}`, {
    headers: headers(site, { accept: 'application/json' }, device),
    maxBytes: 2 * MIB,
  });
}

/** Requests the same metadata from the embedded player's host. */
export function requestEmbeddedMetadata(source: SourceClient, site: Site, videoId: string): Promise<SourceResponse> {
  const query = new URLSearchParams({ legacy: 'true', embedder: `${SITE}/video/${videoId}`, geo: '1' });
  return source.get(`https://geo.dailymotion.com/video/${videoId}.json?${query}`, {
    headers: headers(site, { accept: 'application/json' }),
    maxBytes: 2 * MIB,
  });
}

/** Requests the master playlist at its signed address, whose query must stay unchanged. */
export function requestManifest(source: SourceClient, site: Site, url: string): Promise<SourceResponse> {
  // On some networks, the CDN returns 403 without a browser's `priority` header.
  return source.get(url, { headers: headers(site, { accept: '*/*', priority: 'u=1, i' }) });
}

/** Requests the fields that the metadata lacks. The legacy REST interface works from any country. */
export function requestFacts(source: SourceClient, site: Site, videoId: string): Promise<SourceResponse> {
  const query = new URLSearchParams({ fields: factFields.join(',') });
  return source.get(`https://api.dailymotion.com/video/${videoId}?${query}`, {
    headers: headers(site, { accept: 'application/json' }),
    maxBytes: MIB,
    timeout: FACTS_TIMEOUT_MS,
  });
}
