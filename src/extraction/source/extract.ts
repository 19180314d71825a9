import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { itemKeyOf } from '../../contract/media-origin.ts';
import type { Exit } from '../../egress/exits.ts';
import type { ContentMedia, Extraction, ExtractionContext } from '../../platforms/platform.ts';
import { startTimeLimit } from '../../waiting/time-limit.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { type ExitSessions, openExitSessions, type SourceAccess } from './exit-sessions.ts';

/** Time limit of an extraction. */
const EXTRACTION_TIMEOUT_MS = 25_000;

/**
 * Maximum number of media files in a result, which take 50 ms to present. The largest posts have 200 images or videos, in
 * up to five sizes each.
 */
const MAX_MEDIA = 2_000;

/** An extraction with the exit that it used. */
export interface SourceExtraction extends Extraction {
  /** ID of the exit. The media is fetched through the same exit. */
  readonly exit: string;
}

/**
 * Runs a query against its source, for a caller.
 *
 * @throws MillraceError whose code states why there is no result; the signal's reason.
 */
export type FetchSource = (query: SourceQuery, caller: Caller, signal: AbortSignal) => Promise<SourceExtraction>;

/**
 * Runs an endpoint's extraction, within 25 s.
 *
 * @param disconnected Aborted when the last caller disconnects.
 * @throws MillraceError whose code states why there is no result.
 */
export async function extract(
  query: SourceQuery,
  caller: Caller,
  access: SourceAccess,
  disconnected: AbortSignal,
): Promise<SourceExtraction> {
  const completion = new AbortController();
  const signal = AbortSignal.any([disconnected, completion.signal]);
  const limit = startTimeLimit(EXTRACTION_TIMEOUT_MS);
  try {
    const sessions = openExitSessions(query, caller, access, limit.left, signal);
    return await extractThrough(sessions, query, access, { timeLeft: limit.left, signal });
  } finally {
    limit.end();
    completion.abort(new Error('the extraction has ended'));
  }
}

async function extractThrough(
  sessions: ExitSessions,
  query: SourceQuery,
  access: SourceAccess,
  limits: Pick<ExtractionContext, 'timeLeft' | 'signal'>,
): Promise<SourceExtraction> {
  const { endpoint, parameters, pages, isRequested, strategy } = query;
  try {
    const { source, sourceIn } = sessions;
    const { countries } = access.exits;
    const profileOrder = profileOrderOf(query, access, sessions.exit);
    const context = {
      source,
      countries,
      sourceIn,
      pages,
      requestsPart: isRequested,
      ...(strategy === undefined ? {} : { strategy }),
      profileOrder,
      ...limits,
    };
    const extraction = await endpoint.extract(parameters, context);
    requirePresentable(extraction);
    return { ...extraction, exit: sessions.succeed(extraction.country) };
  } catch (error) {
    throw sessions.fail(error);
  }
}

/** @throws MillraceError `invalid_response_data` if a site sent more media than it can have in mind. */
function requirePresentable({ contents = [] }: Extraction): void {
  const mediaOf = ({ videos = [], audios = [], images = [] }: ContentMedia) =>
    videos.length + audios.length + images.length;
  const count = contents.reduce((sum, content) => sum + mediaOf(content), 0);
  if (count <= MAX_MEDIA) return;
  const message = `The source returned ${count} files, but a result has at most ${MAX_MEDIA}.`;
  throw new MillraceError('invalid_response_data', message);
}

/** Returns the order in which an extraction through an exit tries client profiles. */
function profileOrderOf(
  { platform, endpoint, parameters, item, strategy, failedProfiles = [] }: SourceQuery,
  { mediaHealth }: SourceAccess,
  { id: exit, country }: Exit,
): ExtractionContext['profileOrder'] {
  if (strategy !== undefined) return (profiles) => profiles.filter((profile) => profile === strategy);
  const place = { platform, exit, ...(country === undefined ? {} : { country }) };
  return (profiles) => {
    const itemKey = itemKeyOf({ platform, endpoint: endpoint.path, parameters, item });
    const hasFailed = (profile: string) => failedProfiles.includes(profile);
    const others = profiles.filter((profile) => !hasFailed(profile));
    return [...(mediaHealth?.order(place, itemKey, others) ?? others), ...profiles.filter(hasFailed)];
  };
}
