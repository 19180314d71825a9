import type { MediaFetch, MediaOutcome } from '../contract/media-fetch.ts';

/** How a fetch counts. `repeated`: media of the item was already refused in the last hour, and again now. */
export type CountedOutcome = MediaOutcome | 'repeated';

/** The metrics of media fetches. */
export interface MediaHealthMetrics {
  /** Counts a fetch of media. There are few profiles and exits: they come from the settings. */
  mediaFetch(fetch: MediaFetch, counted: CountedOutcome): void;
}
