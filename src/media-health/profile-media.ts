import type { MediaFetch } from '../contract/media-fetch.ts';
import { createSlidingWindow } from '../counting/sliding-window.ts';
import { createItemMarks, type ItemMark } from './item-marks.ts';
import type { FrequentRefusals, LastRefusal, ProfileMediaState, ProfilePlace } from './media-health.ts';
import { addMediaTally, emptyMediaTally, type MediaTally, sumMediaTallies } from './media-tally.ts';

const MINUTE_MS = 60_000;
const RECENT_MINUTES = 15;

/** A profile counts as refused if a larger portion of its recent fetches was refused. */
const REFUSED_PORTION = 0.5;

/** The media of one profile through one exit. */
export interface ProfileMedia {
  /** Whether the media of an item was refused in the last hour, and has not arrived since then. */
  isMarked(item: string): boolean;
  /** Marks the item of a fetch, or clears its mark. Returns the mark if it has changed. */
  markItem(item: string, fetch: MediaFetch): ItemMark | undefined;
  /** Takes over a mark of another node, unless the own one is newer. */
  mergeMark(mark: ItemMark): void;
  /** Adds fetches that ended at a time. */
  add(tally: MediaTally, at: number, lastRefusal: LastRefusal | undefined): void;
  /** Returns how the media is refused; undefined unless most of it is. */
  refusals(): FrequentRefusals | undefined;
  /** Returns when the media of an item was refused so that the profile should be tried last. */
  refusedAt(item: () => string): number | undefined;
  /** Returns the current counts; undefined if there was no fetch in the last 24 hours. */
  state(): ProfileMediaState | undefined;
}

/** Creates the counts of a profile without any fetch. */
export function createProfileMedia(place: ProfilePlace, profile: string): ProfileMedia {
  const recent = createSlidingWindow(MINUTE_MS, RECENT_MINUTES, emptyMediaTally);
  const day = createSlidingWindow(RECENT_MINUTES * MINUTE_MS, 96, emptyMediaTally);
  const items = createItemMarks();
  let lastRefusal: LastRefusal | undefined;
  /** The latest judgement, valid until a fetch is counted or the minute ends. Every cache hit needs one. */
  let judgement: { readonly refusals: FrequentRefusals | undefined; readonly minute: number } | undefined;

  function judge(): FrequentRefusals | undefined {
    const intervals = recent.intervals();
    const first = intervals.find(({ refused, cut }) => refused + cut > 0);
    if (first === undefined) return undefined;
    const { refused, cut, arrived, arrivedLong } = sumMediaTallies(intervals.slice(intervals.indexOf(first)));
    const refusedRate = portion(refused, arrived);
    const cutRate = portion(cut, arrivedLong);
    if (Math.max(refusedRate, cutRate) <= REFUSED_PORTION) return undefined;
    const { country } = place;
    const facts = { since: first.from, ...(country === undefined ? {} : { country }) };
    return cutRate > refusedRate
      ? { kind: 'cut', rate: cutRate, ...facts }
      : { kind: 'refused', rate: refusedRate, ...facts };
  }

  function refusals(): FrequentRefusals | undefined {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (judgement?.minute !== minute) judgement = { refusals: judge(), minute };
    return judgement.refusals;
  }

  return {
    isMarked: (item) => items.refusedAt(() => item) !== undefined,
    markItem: (item, fetch) => items.count(item, fetch),
    mergeMark(mark) {
      items.merge(mark);
      judgement = undefined;
    },
    add(tally, at, refusal) {
      for (const window of [recent, day]) {
        const interval = window.at(at);
        if (interval !== undefined) addMediaTally(interval, tally);
      }
      if (refusal !== undefined && refusal.at >= (lastRefusal?.at ?? 0)) lastRefusal = refusal;
      judgement = undefined;
    },
    refusals,
    refusedAt(item) {
      const times = [items.refusedAt(item), refusals() && lastRefusal?.at].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    state() {
      const intervals = day.intervals();
      if (intervals.length === 0) return undefined;
      const frequent = refusals();
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

function portion(part: number, rest: number): number {
  return part === 0 ? 0 : part / (part + rest);
}
