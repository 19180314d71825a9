import type { ReportMediaFetch } from '../contract/media-fetch.ts';
import type { MediaTally } from './media-tally.ts';

/** Where a client profile is used. */
export interface ProfilePlace {
  /** ID of the platform, such as `p1`. */
  readonly platform: string;
  /** ID of the exit. */
  readonly exit: string;
  /** Upper-case code of the exit's country, if known. */
  readonly country?: string;
}

/** The latest fetch of a profile's media that was refused. */
export interface LastRefusal {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: 'refused' | 'cut';
  readonly status?: number;
  /** Bytes that had arrived by then. */
  readonly bytes: number;
}

/** Most of a profile's media is refused at a place. */
export interface FrequentRefusals extends Pick<ProfilePlace, 'country'> {
  /** `cut`: the first bytes arrive, and the following ones are refused. */
  readonly kind: 'refused' | 'cut';
  /** Portion of the fetches since then that were refused. */
  readonly rate: number;
  /** Start of the minute with the first recent refusal, in milliseconds since 1970. */
  readonly since: number;
}

/** How the media of a profile arrives at a place. */
export interface ProfileMediaState extends ProfilePlace {
  readonly profile: string;
  /** Present if {@link MediaHealth.order} places the profile last for all items. */
  readonly refusals?: FrequentRefusals;
  /** The last 15 minutes. */
  readonly recent: MediaTally;
  /** The last 24 hours. */
  readonly day: MediaTally;
  readonly lastRefusal?: LastRefusal;
}

/** How well the media of each client profile arrives, by platform and exit. */
export interface MediaHealth {
  readonly report: ReportMediaFetch;
  /**
   * Returns the profiles in the order in which to try them: those whose media arrives first, then those whose media of
   * this item or of most items was recently refused, the oldest refusal first. Otherwise, the order stays the same.
   *
   * @param itemKey `itemKeyOf` the requested item.
   */
  order(place: ProfilePlace, itemKey: string, profiles: readonly string[]): readonly string[];
  /**
   * Returns when media of a profile was last refused so that {@link order} places it last, in milliseconds since 1970;
   * undefined if it is not placed last. Links that were fetched before then should be replaced.
   */
  refusedAt(place: ProfilePlace, itemKey: string, profile: string): number | undefined;
  /** Returns how a profile's media arrives at a place; undefined unless most of it is refused. */
  refusalsOf(place: ProfilePlace, profile: string): FrequentRefusals | undefined;
  /** Returns how the media of a platform arrives, for each profile and exit with a fetch in the last 24 hours. */
  states(platform: string): readonly ProfileMediaState[];
}
