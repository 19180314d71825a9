/** Seconds before each further try: 18 hours in all, 23 with jitter. */
const pauses = [2, 15, 120, 900, 3_600, 18_000, 43_200] as const;

/** Part of a pause that it is longer by, at most. */
const JITTER = 0.25;

/** How often an event is tried to be delivered. */
export const MOST_TRIES = pauses.length + 1;

/**
 * Milliseconds until the next try after so many; undefined when it was the last. Jitter, so that the events of a
 * receiver that was down do not come all at once.
 *
 * @param random From 0 to 1.
 */
export function pauseAfter(tries: number, random: number = Math.random()): number | undefined {
  const seconds = pauses[tries - 1];
  return seconds === undefined ? undefined : Math.round(seconds * 1_000 * (1 + JITTER * random));
}
