import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import { UnreadResponseError } from '../unread.ts';
import { findFacts } from './find-facts.ts';
import { type MetadataStrategy, metadataStrategies } from './parse/content-metadata.ts';
import { type MetadataResult, parseMetadata, type VideoMetadata } from './parse/player-metadata.ts';
import { refusals } from './parse/refusal.ts';
import type { FactsResult, VideoFacts } from './parse/rest-facts.ts';
import { requestEmbeddedMetadata, requestMetadata } from './requests.ts';
import type { Site } from './site.ts';

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
  readonly facts?: FactsResult;
}

type PlayerResult = MetadataResult & { readonly strategy: MetadataStrategy };

/**
 * Finds a video. If the video is not available in the current country and the caller left the choice of country to the
 * service, tries other countries.
 *
 * @param anyCountry Whether the caller left the choice of country to the service.
 * @param order The strategies in the order in which to try them.
 * @throws MillraceError for the site's refusal. For a region-locked video the code is `unavailable`, with
 * `allowedCountries` or `deniedCountries` in its detail if the site lists them. Also throws for an invalid response.
 */
export async function findVideo(
  videoId: string,
  anyCountry: boolean,
  order: readonly string[],
  context: ExtractionContext,
  site: Site,
): Promise<VideoResult> {
  const { source, signal } = context;
  const strategies = order.flatMap((name) => metadataStrategies.filter((strategy) => strategy === name));
  const result = await fetchPlayerMetadata(videoId, source, site, strategies);
  if (result.refusal?.code !== refusals.geoRestricted) return { ...videoOf(result), source };

  const facts = await findFacts(videoId, source, site, signal);
  const countries = anyCountry ? usableCountries(facts.facts, context) : [];
  let hasFailed = anyCountry && facts.incomplete === true;
  for (const country of countries.slice(0, MAX_EXITS)) {
    const exit = context.sourceIn(country);
    const exitResult = await fetchThrough(videoId, exit, site, strategies, signal);
    if (exitResult === undefined) hasFailed = true;
    else if (exitResult.refusal?.code !== refusals.geoRestricted) {
      return { ...videoOf(exitResult), source: exit, facts };
    }
  }
  throw regionLocked(result.refusal.error, facts.facts, hasFailed);
}

function videoOf({ video, refusal, strategy }: PlayerResult): Pick<VideoResult, 'video' | 'strategy'> {
  if (video === undefined) throw refusal.error;
  return { video, strategy };
}

/**
 * Requests the metadata. If the site refuses this player, sends a second request as the player variation that the site
 * accepts.
 */
async function fetchPlayerMetadata(
  videoId: string,
  source: SourceClient,
  site: Site,
  strategies: readonly MetadataStrategy[],
): Promise<PlayerResult> {
  const first = await fetchMetadata(videoId, source, site, strategies);
  const code = strategies.includes('player') ? first.refusal?.code : undefined;
  switch (code) {
    case refusals.siteOnly:
      return {
        ...parseResponse(await requestMetadata(source, site, videoId, { embedder: 'https://www.dailymotion.com' })),
        strategy: 'player',
      };
    case refusals.otherDevice:
      return {
        ...parseResponse(await requestMetadata(source, site, videoId, { device: 'mobile' })),
        strategy: 'player',
      };
    default:
      return first;
  }
}

/** Sends the request of one strategy. */
type MetadataRequest = (source: SourceClient, site: Site, videoId: string) => Promise<SourceResponse>;

const requests: Readonly<Record<MetadataStrategy, MetadataRequest>> = {
  player: requestMetadata,
  embed: requestEmbeddedMetadata,
};

/** Requests the metadata with each strategy, until one has a result or fails in a way that no other can avoid. */
async function fetchMetadata(
  videoId: string,
  source: SourceClient,
  site: Site,
  strategies: readonly MetadataStrategy[],
): Promise<PlayerResult> {
  const failures: MillraceError[] = [];
  for (const strategy of strategies) {
    try {
      return { ...parseResponse(await requests[strategy](source, site, videoId)), strategy };
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      failures.push(error);
      if (!error.retryable) break;
    }
  }
  throw mostTelling(failures);
}

/** Returns the failure that shows that the site has changed, or else the first one, with all as its cause. */
function mostTelling(failures: readonly MillraceError[]): MillraceError {
  const [first, ...others] = failures;
  if (first === undefined) return new MillraceError('non_2xx_response', 'The site did not respond. Try again.');
  const unread = failures.find((failure) => failure instanceof UnreadResponseError);
  if (unread !== undefined || others.length === 0) return unread ?? first;
  return new MillraceError(first.code, first.message, { cause: new AggregateError(failures) });
}

/** Works like {@link fetchPlayerMetadata}, but treats a broken exit as a country where the video is not available. */
async function fetchThrough(
  videoId: string,
  exit: SourceClient,
  site: Site,
  strategies: readonly MetadataStrategy[],
  signal: AbortSignal,
): Promise<PlayerResult | undefined> {
  try {
    return await fetchPlayerMetadata(videoId, exit, site, strategies);
  } catch (error) {
    // A proxy error is not reported, because the next exit may succeed and otherwise the first refusal is more useful.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}

function parseResponse({ text, status }: SourceResponse): MetadataResult {
  return parseMetadata(text, status);
}

/**
 * Returns the countries to try: those that have an exit and where the video is available, except the current one.
 * Without the site's list of countries, the video may be available in any.
 */
function usableCountries(facts: VideoFacts | undefined, { countries, source }: ExtractionContext): string[] {
  const geoblocking = facts?.geoblocking ?? { mode: 'allow', countries: [] };
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

/** @param isUnconfirmed Whether a country where the video may be available could not be asked. */
function regionLocked(refusal: MillraceError, facts: VideoFacts | undefined, isUnconfirmed: boolean): MillraceError {
  const { mode, countries = [] } = facts?.geoblocking ?? {};
  return new MillraceError('unavailable', refusal.message, {
    cause: refusal,
    ...(isUnconfirmed ? { retryable: true } : {}),
    ...(refusal.reason === undefined ? {} : { reason: refusal.reason }),
    ...(countries.length === 0
      ? {}
      : { detail: { [mode === 'allow' ? 'allowedCountries' : 'deniedCountries']: countries } }),
  });
}
