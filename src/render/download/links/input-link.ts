import type { JobInput } from '../../../contract/job.ts';
import { type Representation, validityOf } from '../../../contract/media-origin.ts';
import { bindHeaders } from '../../../egress/credentials.ts';
import type { FreshLink } from '../../../link-healing/fresh-links.ts';
import type { LinkState } from './source-link.ts';

/** A link of an input, and where it came from. */
export interface TracedLink extends LinkState {
  /** Client profile that returned it; undefined if unknown, or if the platform has only one. */
  readonly profile: string | undefined;
  /** Time at which it expires, in milliseconds since 1970, if known. */
  readonly expiresAt: number | undefined;
  /** Time at which it was returned, in milliseconds since 1970, if its expiry is unknown. */
  readonly issuedAt?: number | undefined;
  /** Bits per second of its media, if known. */
  readonly bitrate: number | undefined;
}

/** A new link that is not in use yet. */
export interface SpareLink {
  readonly fresh: FreshLink;
  readonly profile: string | undefined;
  /** The client profiles that were known to fail when it was requested. */
  readonly failedProfiles: ReadonlySet<string>;
}

/** The state of an input's link. */
export interface InputState {
  link: TracedLink;
  spare: SpareLink | undefined;
  /** Number of links that were replaced because they failed. */
  replacements: number;
  /** Whether the present link has been requested. */
  isRequested: boolean;
  /** Whether the outcome of the present link has been reported. */
  isReported: boolean;
  /** Whether the present link is used although it has expired, because the platform returned no new one. */
  isExpiryAccepted: boolean;
}

/** Returns the link of an input in its job. */
export function linkOf({ url, request }: JobInput): LinkState {
  const headers = bindHeaders(url, request.headers);
  return { url, request: { ...request, headers }, version: 0, received: { bytes: 0 } };
}

/** Returns the state of an input whose link is that of the job. */
export function initialState(
  input: JobInput,
  profile: string | undefined,
  representation: Representation | undefined,
): InputState {
  return {
    link: {
      ...linkOf(input),
      profile,
      expiresAt: representation?.expiresAt,
      issuedAt: representation?.issuedAt,
      bitrate: representation?.bitrate,
    },
    spare: undefined,
    replacements: 0,
    isRequested: false,
    isReported: false,
    isExpiryAccepted: false,
  };
}

/** Starts to use a spare link in place of an input's present one. Nothing of the former request is sent with it. */
export function adoptSpare(state: InputState, { fresh, profile }: SpareLink): void {
  const { url, headers, bytes: size, expiresAt } = fresh;
  state.link = {
    url,
    request: { method: 'GET', headers: bindHeaders(url, headers) },
    version: state.link.version + 1,
    ...(size === undefined ? {} : { size }),
    received: { bytes: 0 },
    profile,
    ...validityOf(expiresAt),
    expiresAt,
    bitrate: state.link.bitrate,
  };
  state.spare = undefined;
  state.isRequested = false;
  state.isReported = false;
  state.isExpiryAccepted = false;
}

/** Whether a link's known expiry has passed. */
export function isExpired({ expiresAt }: { readonly expiresAt?: number | undefined }): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}
