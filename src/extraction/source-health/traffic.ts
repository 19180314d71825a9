import { createSlidingWindow } from '../../counting/sliding-window.ts';
import { type ExtractionWindow, emptyTally } from './extraction-tally.ts';

export const MINUTE_MS = 60_000;

/** Extractions by their outcomes. */
export interface Traffic {
  /** The last 15 minutes, by minutes. */
  readonly recent: ExtractionWindow;
  /** The last 24 hours, by quarters of an hour. */
  readonly day: ExtractionWindow;
}

/** Creates windows without any extraction. */
export function emptyTraffic(): Traffic {
  return {
    recent: createSlidingWindow(MINUTE_MS, 15, emptyTally),
    day: createSlidingWindow(15 * MINUTE_MS, 96, emptyTally),
  };
}
