/** Requests for new links to an item that the links of a sealed URL may cause within {@link countedHours}. */
export const MAX_REQUESTS = 4;

/** Replacements of the link of one input that a start of a job may cause. */
export const MAX_INPUT_REPLACEMENTS = 2;

/** Time for which a request counts, in hours. */
export const countedHours = 24;

/** A request for new links that is about to be sent. */
export interface CountedRequest {
  /** The sealed URL or link, such as the ID of its job. */
  readonly subject: string;
  /** Hash of the item. */
  readonly item: string;
  /** The input whose link failed, and the start of its job. Absent if the request has no limit per input. */
  readonly input?: { readonly start: string; readonly index: number };
}

/** Counts the requests for new links, so that a sealed URL cannot drive extractions. */
export interface ReplacementCounts {
  /**
   * Counts a request and returns whether it may be sent: at most {@link MAX_REQUESTS} for the subject and the item, and
   * at most {@link MAX_INPUT_REPLACEMENTS} of them for the input.
   *
   * @throws MillraceError `service_unavailable` if the counts cannot be read.
   */
  take(request: CountedRequest): Promise<boolean>;
}
