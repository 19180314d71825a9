import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import type { MetadataStrategy } from './parse/content-metadata.ts';
import { type MetadataResult, parseMetadata, type VideoMetadata } from './parse/player-metadata.ts';
import { refusals } from './parse/refusal.ts';
import { parseFacts, type VideoFacts } from './parse/rest-facts.ts';
import { requestEmbeddedMetadata, requestFacts, requestMetadata } from './requests.ts';

/** Countries that region-locked videos are most often available in. They are tried first. */
const preferredCountries = ['FR', 'US', 'GB', 'DE'];

/** Maximum number of exits tried for one video. */
const MAX_EXITS = 3;

/** A video, the strategy that found it, and the exit that its streams are bound to. */
interface VideoResult {
  readonly video: VideoMetadata;
  readonly strategy: MetadataStrategy;
  readonly source: SourceClient;
  /** The REST interface's response, if it was already requested. */
  readonly facts?: VideoFacts;
}

type PlayerResult = MetadataResult & { readonly strategy: MetadataStrategy };

/**
 * Finds a video. If the video is not available in the current country and the caller left the choice of country to the
 * service, tries other countries.
 *
 * @param anyCountry Whether the caller left the choice of country to the service.
 * @throws MillraceError for the site's refusal. For a region-locked video the code is `unavailable`, with
 * `allowedCountries` or `deniedCountries` in its detail if the site lists them. Also throws for an invalid response.
 */
export async function findVideo(
  videoId: string,
  anyCountry: boolean,
  context: ExtractionContext,
): Promise<VideoResult> {
  const { source } = context;
  const result = await fetchPlayerMetadata(videoId, source);
  if (result.refusal?.code !== refusals.geoRestricted) return { ...videoOf(result), source };

  const facts = await findFacts(videoId, source, context.signal);
  const countries = anyCountry ? usableCountries(facts, context) : [];
  for (const country of countries.slice(0, MAX_EXITS)) {
    const exit = context.sourceIn(country);
    const exitResult = await fetchThrough(videoId, exit, context.signal);
    if (exitResult !== undefined && exitResult.refusal?.code !== refusals.geoRestricted) {
      return { ...videoOf(exitResult), source: exit, ...(facts === undefined ? {} : { facts }) };
    }
  }
  throw regionLocked(result.refusal.error, facts);
}

/** Requests the REST interface. If that fails, only the fields from that interface are missing. */
export async function findFacts(
  videoId: string,
  source: SourceClient,
  signal: AbortSignal,
): Promise<VideoFacts | undefined> {
  try {
    return parseFacts((await requestFacts(source, videoId)).text);
  } catch (error) {
    // Descriptions and counts are optional, so the video is returned without them.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}

function videoOf({ video, refusal, strategy }: PlayerResult): Pick<VideoResult, 'video' | 'strategy'> {
  if (video === undefined) throw refusal.error;
  return { video, strategy };
}

/**
 * Requests the metadata. If the site refuses this player, sends a second request as the player variation that the site
 * accepts.
 */
async function fetchPlayerMetadata(videoId: string, source: SourceClient): Promise<PlayerResult> {
  const first = await fetchMetadata(videoId, source);
  switch (first.refusal?.code) {
    case refusals.siteOnly:
      return {
        ...parseResponse(await requestMetadata(source, videoId, { embedder: 'https://www.dailymotion.com' })),
        strategy: 'player',
      };
    case refusals.otherDevice:
      return { ...parseResponse(await requestMetadata(source, videoId, { device: 'mobile' })), strategy: 'player' };
    default:
      return first;
  }
}

/** Requests the player endpoint, and falls back to the embedded player's endpoint if it does not respond. */
async function fetchMetadata(videoId: string, source: SourceClient): Promise<PlayerResult> {
  let failure: MillraceError;
  try {
    return { ...parseResponse(await requestMetadata(source, videoId)), strategy: 'player' };
  } catch (error) {
    if (!(error instanceof MillraceError) || !error.retryable) throw error;
    failure = error;
  }
  try {
    return { ...parseResponse(await requestEmbeddedMetadata(source, videoId)), strategy: 'embed' };
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new MillraceError(failure.code, failure.message, { cause: new AggregateError([failure, error]) });
  }
}

/** Works like {@link fetchPlayerMetadata}, but treats a broken exit as a country where the video is not available. */
async function fetchThrough(
  videoId: string,
  exit: SourceClient,
  signal: AbortSignal,
): Promise<PlayerResult | undefined> {
  try {
    return await fetchPlayerMetadata(videoId, exit);
  } catch (error) {
    // A proxy error is not reported, because the next exit may succeed and otherwise the first refusal is more useful.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}

function parseResponse({ text, status }: SourceResponse): MetadataResult {
  return parseMetadata(text, status);
}

/** Returns the countries to try: those where the video is available and that have an exit, except the current one. */
function usableCountries(facts: VideoFacts | undefined, { countries, source }: ExtractionContext): string[] {
  const geoblocking = facts?.geoblocking;
  if (geoblocking === undefined) return [];
  const countryList = new Set(geoblocking.countries);
  const open = (country: string) => countryList.has(country) === (geoblocking.mode === 'allow' && countryList.size > 0);
  const rank = (country: string) => {
    const place = preferredCountries.indexOf(country);
    return place < 0 ? preferredCountries.length : place;
  };
  return countries
    .filter((country) => open(country) && country !== source.country)
    .toSorted((a, b) => rank(a) - rank(b));
}

function regionLocked(refusal: MillraceError, facts: VideoFacts | undefined): MillraceError {
  const { mode, countries = [] } = facts?.geoblocking ?? {};
  return new MillraceError('unavailable', refusal.message, {
    cause: refusal,
    ...(refusal.reason === undefined ? {} : { reason: refusal.reason }),
    ...(countries.length === 0
      ? {}
      : { detail: { [mode === 'allow' ? 'allowedCountries' : 'deniedCountries']: countries } }),
  });
}
