import type { Caller } from './caller.ts';
import type { ItemOrigin, Representation } from './media-origin.ts';

/** What fetched media. */
export type MediaConsumer = 'render' | 'relay' | 'preview';

/**
 * How a fetch of media ended. `arrived`: all requested bytes arrived. `refused`: status 401, 403, 404 or 410 although the
 * link had not expired, before any byte had arrived. `cut`: the same after at most the first minute or about the first
 * MiB, which shows that the site wants a token that the client profile does not have (YouTube, 2026-08). `died`: the same
 * later. `expired`: such a status after the link's expiry, or an hour after it was issued if the expiry is unknown.
 * `failed`: anything else. The last three say nothing about the client profile.
 */
export type MediaOutcome = 'arrived' | 'refused' | 'cut' | 'died' | 'expired' | 'failed';

/** A fetch of media through a link that a platform returned: of an input of a job, or of a relayed file. */
export interface MediaFetch {
  readonly consumer: MediaConsumer;
  readonly caller: Caller;
  readonly origin: ItemOrigin;
  /** ID of the exit that the media was fetched through. */
  readonly exit: string;
  /** Upper-case code of the exit's country, if known. */
  readonly country?: string;
  readonly outcome: MediaOutcome;
  /** Status of the response that ended the fetch, if it was a refusal. */
  readonly status?: number;
  /** Bytes of this link that had arrived by then. */
  readonly bytes: number;
}

/** Receives the outcome of each fetch of media. It never throws. */
export type ReportMediaFetch = (fetch: MediaFetch) => void;

const refusals: readonly number[] = [401, 403, 404, 410];

/** Whether a status means that a media link no longer works, or never did. */
export function isLinkRefusal(status: number | undefined): status is number {
  return status !== undefined && refusals.includes(status);
}

/** Bytes up to which a link without a token may work, with a margin for requests that were already running. */
const CUT_BYTES = 2 * 1024 * 1024;
/** Seconds of media up to which a link without a token may work, with the same margin. */
const CUT_SECONDS = 75;

/**
 * Milliseconds after which a link of unknown expiry may have expired. Callers may use it for 24 hours, and its refusal
 * must not count against the client profile.
 */
const UNKNOWN_LIFETIME_MS = 3_600_000;

/** The members of a representation that tell how much of it a link without a token returns, and for how long. */
type Timing = { readonly [Name in 'expiresAt' | 'issuedAt' | 'bitrate']?: Representation[Name] | undefined };

/** A link whose fetch failed. */
interface FailedLink {
  /** Bytes that had arrived. */
  readonly bytes: number;
  /** Its representation, if known. */
  readonly representation: Timing | undefined;
}

/** Returns the outcome of a fetch that failed with a status. */
export function refusalOutcome(
  status: number | undefined,
  { bytes, representation: { expiresAt, issuedAt, bitrate } = noRepresentation }: FailedLink,
  now: number = Date.now(),
): Exclude<MediaOutcome, 'arrived'> {
  if (!isLinkRefusal(status)) return 'failed';
  if ((expiresAt ?? (issuedAt ?? now) + UNKNOWN_LIFETIME_MS) <= now) return 'expired';
  if (bytes === 0) return 'refused';
  return bytes <= maxCutBytes(bitrate) ? 'cut' : 'died';
}

/** Returns the maximum bytes that a link without a token returns, of media with a bitrate in bits per second. */
export function maxCutBytes(bitrate = 0): number {
  return Math.max(CUT_BYTES, (CUT_SECONDS * bitrate) / 8);
}

const noRepresentation: Timing = {};
