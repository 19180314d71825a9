import { MillraceError } from '../../../contract/errors.ts';
import type { JobInput } from '../../../contract/job.ts';
import type { BoundHeaders } from '../../../egress/credentials.ts';

/** How to request a resource. */
export type SourceRequest = Omit<JobInput['request'], 'headers'> & {
  /** Bound to the origin of the input's link, for all requests through it. */
  readonly headers: BoundHeaders;
};

/** How a resource is requested at a certain time. */
export interface LinkState {
  readonly url: string;
  readonly request: SourceRequest;
  /** 0 for the link in the job; one more for each replacement. */
  readonly version: number;
  /** Exact size of the file according to its platform, if known. */
  readonly size?: number;
  /** What has arrived through this link, including members of its playlist. */
  readonly received: { bytes: number };
  /** Called when the first bytes have arrived, perhaps more than once. */
  readonly onFirstBytes?: () => void;
}

/** The link to a resource. All parts of the resource share it, so that a replacement reaches all of them. */
export interface SourceLink {
  /** The link at present. */
  readonly current: LinkState;
  /** Returns the link for a request. Replaces it first if it expired before any request. */
  open(signal: AbortSignal): Promise<LinkState>;
  /**
   * Replaces a link, unless that has happened since it was used.
   *
   * @throws `error` if the link cannot be replaced; MillraceError with the reason of the platform; SourceChanged if the
   * new link leads to other media; the signal's reason.
   */
  replace(used: LinkState, error: LinkRefused, signal: AbortSignal): Promise<void>;
}

/** Thrown when a response shows that a link no longer works. */
export class LinkRefused extends MillraceError {
  /** Status of the response. It is 200 if the body is not media. */
  readonly responseStatus: number;

  constructor(responseStatus: number, message: string) {
    super('source_refused', message);
    this.responseStatus = responseStatus;
  }
}

/** Returns a link that is never replaced. */
export function fixedLink(current: LinkState): SourceLink {
  return {
    current,
    open: async () => current,
    async replace(_used, error) {
      throw error;
    },
  };
}

/** Returns the link to a member of a playlist, which is requested in the same way as the playlist. */
export function memberState(playlist: LinkState, url: string): LinkState {
  const { version, received, request, onFirstBytes } = playlist;
  // The headers stay bound to the origin of the playlist's link, even if that was redirected.
  const member = { url, request: { method: 'GET', headers: request.headers }, version, received } as const;
  return onFirstBytes === undefined ? member : { ...member, onFirstBytes };
}
