import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import type { MetadataStrategy } from './parse/details.ts';
import { parseFacts, type VideoFacts } from './parse/facts.ts';
import { type MetadataAnswer, parseMetadata, type VideoMetadata } from './parse/metadata.ts';
import { refusals } from './parse/refusal.ts';
import { requestEmbeddedMetadata, requestFacts, requestMetadata } from './requests.ts';

/** Countries that most videos bound to some are bound to, tried before others. */
const preferredCountries = ['FR', 'US', 'GB', 'DE'];

/** Exits that are tried for one video. */
const MAX_EXITS = 3;

/** A video, the strategy that found it, and its exit, which the streams are bound to. */
export interface FoundVideo {
  readonly video: VideoMetadata;
  readonly strategy: MetadataStrategy;
  readonly source: SourceClient;
  /** The response of the REST interface, where it was requested already. */
  readonly facts?: VideoFacts;
}

type PlayerAnswer = MetadataAnswer & { readonly strategy: MetadataStrategy };

/**
 * Finds a video. Tries other countries where it is closed to this one and the caller left the choice to the service.
 *
 * @param anyCountry Whether the caller left the country to the service.
 * @throws MillraceError what the site's refusal means; for a country that the video is closed to `unavailable`, with
 *   `allowedCountries` or `deniedCountries` in its detail where the site names them; else the fault of its responses.
 */
export async function findVideo(videoId: string, anyCountry: boolean, context: ExtractionContext): Promise<FoundVideo> {
  const { source } = context;
  const here = await fetchAnswer(videoId, source);
  if (here.refusal?.code !== refusals.geoRestricted) return { ...granted(here), source };

  const facts = await findFacts(videoId, source, context.signal);
  const countries = anyCountry ? usableCountries(facts, context) : [];
  for (const country of countries.slice(0, MAX_EXITS)) {
    const exit = context.sourceIn(country);
    const there = await fetchThrough(videoId, exit, context.signal);
    if (there !== undefined && there.refusal?.code !== refusals.geoRestricted) {
      return { ...granted(there), source: exit, ...(facts === undefined ? {} : { facts }) };
    }
  }
  throw regionLocked(here.refusal.error, facts);
}

/** Requests the REST interface; without it only its own fields are missing. */
export async function findFacts(
  videoId: string,
  source: SourceClient,
  signal: AbortSignal,
): Promise<VideoFacts | undefined> {
  try {
    return parseFacts((await requestFacts(source, videoId)).text);
  } catch (error) {
    // Descriptions and counts are extras: the video is answered without them.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}

function granted({ video, refusal, strategy }: PlayerAnswer): Pick<FoundVideo, 'video' | 'strategy'> {
  if (video === undefined) throw refusal.error;
  return { video, strategy };
}

/** Requests the metadata again where the site's refusal names a variation that is open to everybody. */
async function fetchAnswer(videoId: string, source: SourceClient): Promise<PlayerAnswer> {
  const first = await fetchMetadata(videoId, source);
  switch (first.refusal?.code) {
    case refusals.siteOnly:
      return {
        ...read(await requestMetadata(source, videoId, { embedder: 'https://www.dailymotion.com' })),
        strategy: 'player',
      };
    case refusals.otherDevice:
      return { ...read(await requestMetadata(source, videoId, { device: 'mobile' })), strategy: 'player' };
    default:
      return first;
  }
}

/** Asks the player's address, and where no answer comes from there, the embedded player's. */
async function fetchMetadata(videoId: string, source: SourceClient): Promise<PlayerAnswer> {
  let failure: MillraceError;
  try {
    return { ...read(await requestMetadata(source, videoId)), strategy: 'player' };
  } catch (error) {
    if (!(error instanceof MillraceError) || !error.retryable) throw error;
    failure = error;
  }
  try {
    return { ...read(await requestEmbeddedMetadata(source, videoId)), strategy: 'embed' };
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new MillraceError(failure.code, failure.message, { cause: new AggregateError([failure, error]) });
  }
}

/** As {@link fetchAnswer}, but an exit that does not work counts as one where the video is closed. */
async function fetchThrough(
  videoId: string,
  exit: SourceClient,
  signal: AbortSignal,
): Promise<PlayerAnswer | undefined> {
  try {
    return await fetchAnswer(videoId, exit);
  } catch (error) {
    // The next exit, or the refusal that sent us here, is a better answer than a broken proxy.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}

function read({ text, status }: SourceResponse): MetadataAnswer {
  return parseMetadata(text, status);
}

/** The countries to try: those that may see the video and that exits are configured for, but for this one. */
function usableCountries(facts: VideoFacts | undefined, { countries, source }: ExtractionContext): string[] {
  const geoblocking = facts?.geoblocking;
  if (geoblocking === undefined) return [];
  const listed = new Set(geoblocking.countries);
  const open = (country: string) => listed.has(country) === (geoblocking.mode === 'allow' && listed.size > 0);
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
