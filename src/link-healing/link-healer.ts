import type { FreshLinks, FreshLinksQuery } from './fresh-links.ts';

/** A request to replace links that no longer work. */
export interface HealRequest extends FreshLinksQuery {
  /** The sealed link or URL that the links belong to, such as the ID of its job. Its replacements are counted. */
  readonly subject: string;
  /** Index of the input whose link failed. The other links of the query are replaced as well. */
  readonly input: number;
  /**
   * Identifies the start of the job: a text that differs when its owner starts it again, and stays the same when another
   * worker takes it over. Absent for relayed files, which have no limit per input.
   */
  readonly start?: string | undefined;
  /** ID of the request that the links are replaced for, for the log: the one that started the job. */
  readonly requestId?: string | undefined;
}

/** Replaces media links that no longer work, for renders and relayed files. */
export interface LinkHealer {
  /**
   * Returns new links to all representations of the request; undefined if no link may be replaced: the owner's key has
   * ended, or the links of the sealed link were replaced too often. Limits its own time.
   *
   * @throws MillraceError with the platform's refusal: `not_found`, `unavailable`, `signin_required`, `age_restricted`;
   * or why the platform could not be asked. Otherwise the signal's reason.
   */
  heal(request: HealRequest, signal: AbortSignal): Promise<FreshLinks | undefined>;
}
