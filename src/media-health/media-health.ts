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

/** A profile's media is often refused at a place, by the rule in `refusal-evidence.ts`. */
export interface FrequentRefusals extends Pick<ProfilePlace, 'country'> {
  /** `cut`: the first bytes arrive, and the following ones are refused. */
  readonly kind: 'refused' | 'cut';
  /** Portion of the fetches since then that were refused. */
  readonly rate: number;
  /** When these refusals began, in milliseconds since 1970. */
  readonly since: number;
}

/** How the media of a profile arrives at a place. */
export interface ProfileMediaState extends ProfilePlace {
  readonly profile: string;
  /** Present if {@link MediaHealth.order} places the profile last for all items, except in trials. */
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
   * Returns the profiles in the order in which an extraction should try them: first those that are not avoided, then the
   * avoided ones, the oldest refusal first. Otherwise, the order stays the same. The first one counts as {@link used}.
   *
   * @param itemKey `itemKeyOf` the requested item.
   */
  order(place: ProfilePlace, itemKey: string, profiles: readonly string[]): readonly string[];
  /**
   * Whether an extraction of an item should avoid a profile: media of the item was refused in the last hour, or media of
   * the profile is often refused and no trial is due.
   */
  isAvoided(place: ProfilePlace, itemKey: string, profile: string): boolean;
  /** Notes that an extraction is about to use a profile. It is a trial if the profile's media is often refused. */
  used(place: ProfilePlace, profile: string): void;
  /**
   * Returns when media of a profile was last refused, in milliseconds since 1970, if media of the item was refused in the
   * last hour, or if media of the profile is often refused. Links that were fetched before then should be replaced.
   */
  refusedAt(place: ProfilePlace, itemKey: string, profile: string): number | undefined;
  /** Returns how a profile's media arrives at a place; undefined unless it is often refused. */
  refusalsOf(place: ProfilePlace, profile: string): FrequentRefusals | undefined;
  /** Returns how the media of a platform arrives, for each profile and exit with a fetch in the last 24 hours. */
  states(platform: string): readonly ProfileMediaState[];
}
