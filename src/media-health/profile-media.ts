import type { Caller } from '../contract/caller.ts';
import type { MediaFetch } from '../contract/media-fetch.ts';
import { createSlidingWindow } from '../counting/sliding-window.ts';
import { createItemMarks, type ItemMark } from './item-marks.ts';
import type { FrequentRefusals, LastRefusal, ProfileMediaState, ProfilePlace } from './media-health.ts';
import { addMediaTally, emptyMediaTally, type MediaTally, sumMediaTallies } from './media-tally.ts';
import { createRefusalEvidence } from './refusal-evidence.ts';
import { createTrials } from './trials.ts';
import { type ActiveCallers, createWitnesses } from './witnesses.ts';

const MINUTE_MS = 60_000;
const RECENT_MINUTES = 15;

/** The media of one profile through one exit. */
export interface ProfileMedia {
  /** Whether the media of an item was refused in the last hour, and has not arrived since then. */
  isMarked(item: string): boolean;
  /** Notes a caller whose media arrived. */
  noteCaller(caller: Caller): void;
  /** Returns whether a refusal of a caller's media counts as evidence, by the rule in `witnesses.ts`. */
  admitsRefusal(caller: Caller): boolean;
  /** Marks the item of a fetch, or clears its mark. Returns the mark if it has changed. */
  markItem(item: string, fetch: MediaFetch): ItemMark | undefined;
  /** Takes over a mark of another node, unless the own one is newer. */
  mergeMark(mark: ItemMark): void;
  /** Adds fetches that ended at a time. */
  add(tally: MediaTally, at: number, lastRefusal: LastRefusal | undefined): void;
  /** Returns how the media is refused; undefined unless it is often refused. */
  refusals(): FrequentRefusals | undefined;
  /** Returns when media was last refused, if that of the item or of most items is refused. */
  refusedAt(item: () => string): number | undefined;
  /** Returns {@link refusedAt}, but undefined if the next extraction of the item should be a trial. */
  avoidedSince(item: () => string): number | undefined;
  /** Notes that an extraction is about to use the profile. It is a trial if media is often refused. */
  used(): void;
  /** Returns the current counts; undefined if there was no fetch in the last 24 hours. */
  state(): ProfileMediaState | undefined;
}

/** Creates the counts of a profile without any fetch. */
export function createProfileMedia(place: ProfilePlace, profile: string, active: ActiveCallers): ProfileMedia {
  const witnesses = createWitnesses(active);
  const recent = createSlidingWindow(MINUTE_MS, RECENT_MINUTES, emptyMediaTally);
  const day = createSlidingWindow(RECENT_MINUTES * MINUTE_MS, 96, emptyMediaTally);
  const items = createItemMarks();
  const refusedEvidence = createRefusalEvidence();
  const cutEvidence = createRefusalEvidence();
  const trials = createTrials();
  let lastRefusal: LastRefusal | undefined;
  let frequent: FrequentRefusals | undefined;

  function judge(): FrequentRefusals | undefined {
    const [refused, cut] = [refusedEvidence.verdict, cutEvidence.verdict];
    const country = place.country === undefined ? {} : { country: place.country };
    if (cut !== undefined && cut.rate > (refused?.rate ?? 0)) return { kind: 'cut', ...cut, ...country };
    return refused === undefined ? undefined : { kind: 'refused', ...refused, ...country };
  }

  const isAvoided = () => frequent !== undefined && !trials.isDue();
  const latest = (...times: readonly (number | undefined)[]) => {
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };

  return {
    isMarked: (item) => items.refusedAt(() => item) !== undefined,
    noteCaller: (caller) => witnesses.note(caller),
    admitsRefusal: (caller) => witnesses.admits(caller),
    markItem: (item, fetch) => items.count(item, fetch),
    mergeMark: (mark) => items.merge(mark),
    add(tally, at, refusal) {
      for (const window of [recent, day]) {
        const interval = window.at(at);
        if (interval !== undefined) addMediaTally(interval, tally);
      }
      if (refusal !== undefined && refusal.at >= (lastRefusal?.at ?? 0)) lastRefusal = refusal;
      refusedEvidence.add({ refused: tally.refused, arrived: tally.arrived }, at);
      // The start of a file also arrives before a cut, so only long fetches show that media is not cut.
      cutEvidence.add({ refused: tally.cut, arrived: tally.arrivedLong }, at);
      const wasFrequent = frequent !== undefined;
      frequent = judge();
      if (!wasFrequent && frequent !== undefined) trials.reset();
      if (tally.arrived > 0) trials.arrived();
    },
    refusals: () => frequent,
    refusedAt: (item) => latest(items.refusedAt(item), frequent && lastRefusal?.at),
    avoidedSince: (item) => latest(items.refusedAt(item), isAvoided() ? lastRefusal?.at : undefined),
    used() {
      if (frequent !== undefined) trials.start();
    },
    state() {
      const intervals = day.intervals();
      if (intervals.length === 0) return undefined;
      return {
        ...place,
        profile,
        recent: sumMediaTallies(recent.intervals()),
        day: sumMediaTallies(intervals),
        ...(frequent === undefined ? {} : { refusals: frequent }),
        ...(lastRefusal === undefined ? {} : { lastRefusal }),
      };
    },
  };
}
