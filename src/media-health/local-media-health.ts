import { hash } from 'node:crypto';
import type { MediaFetch, MediaOutcome } from '../contract/media-fetch.ts';
import { itemKeyOf, onlyProfile } from '../contract/media-origin.ts';
import { dropOldest } from './drop-oldest.ts';
import type { ItemMark } from './item-marks.ts';
import type { LastRefusal, MediaHealth, ProfilePlace } from './media-health.ts';
import { type MediaTally, tallyOf } from './media-tally.ts';
import type { MediaHealthMetrics } from './metrics-port.ts';
import { createProfileMedia, type ProfileMedia } from './profile-media.ts';
import { createActiveCallers } from './witnesses.ts';

/** Maximum number of profiles and exits. The one that appeared first is forgotten first. */
const MAX_PROFILES = 200;

/** Maximum number of hashes of items that are kept, because each cache hit needs one while media is refused. */
const MAX_HASHES = 1_000;

/** Fetches of one profile's media through one exit that ended at about the same time. */
export interface CountedFetches {
  readonly place: ProfilePlace;
  readonly profile: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tally: MediaTally;
  readonly lastRefusal?: LastRefusal;
}

/** A mark of an item, with the profile and the exit that it belongs to. */
export interface PlacedMark extends ItemMark {
  readonly place: ProfilePlace;
  readonly profile: string;
}

/** Receives what a fetch has changed, so that other nodes can take it over. */
export interface MediaHealthObserver {
  counted(fetches: CountedFetches): void;
  marked(mark: PlacedMark): void;
}

/** The media health that one process knows. */
export interface LocalMediaHealth extends MediaHealth {
  /** Adds fetches of another node. */
  addFetches(fetches: CountedFetches): void;
  /** Takes over a mark of another node. */
  mergeMark(mark: PlacedMark): void;
  /** Sets the only receiver of changes. */
  observe(observer: MediaHealthObserver): void;
}

/** Creates the media health of a process, without any fetch. */
export function createLocalMediaHealth(metrics: MediaHealthMetrics): LocalMediaHealth {
  const profiles = new Map<string, ProfileMedia>();
  const active = createActiveCallers();
  const hashOf = createItemHashes();
  let observer: MediaHealthObserver | undefined;
  const keyOf = ({ platform, exit }: ProfilePlace, profile: string) => `${platform} ${exit} ${profile}`;
  const find = (place: ProfilePlace, profile: string) => profiles.get(keyOf(place, profile));

  function profileAt(place: ProfilePlace, profile: string): ProfileMedia {
    const existing = find(place, profile);
    if (existing !== undefined) return existing;
    const created = createProfileMedia(place, profile, active);
    profiles.set(keyOf(place, profile), created);
    dropOldest(profiles, MAX_PROFILES);
    return created;
  }

  /** Whether a fetch says something about the profile, and not only about its item or its caller. */
  function isEvidence(media: ProfileMedia, { caller, outcome }: MediaFetch, isRepeated: boolean): boolean {
    if (outcome === 'arrived' || isRefusal(outcome)) active.note(caller);
    if (outcome === 'arrived') media.noteCaller(caller);
    return !isRefusal(outcome) || (!isRepeated && media.admitsRefusal(caller));
  }

  const avoidedSince = (place: ProfilePlace, itemKey: string, profile: string) =>
    find(place, profile)?.avoidedSince(() => hashOf(itemKey));

  return {
    report(fetch) {
      const { place, profile } = originOf(fetch);
      const media = profileAt(place, profile);
      const item = hashOf(itemKeyOf(fetch.origin));
      // A caller can repeat a dead link as often as wanted, so it must not count as the refusal of many items.
      const isRepeated = isRefusal(fetch.outcome) && media.isMarked(item);
      const mark = media.markItem(item, fetch);
      metrics.mediaFetch(fetch, isRepeated ? 'repeated' : fetch.outcome);
      if (isEvidence(media, fetch, isRepeated)) {
        const fetches = { place, profile, ...countsOf(fetch) };
        media.add(fetches.tally, fetches.at, fetches.lastRefusal);
        observer?.counted(fetches);
      }
      if (mark !== undefined) observer?.marked({ ...mark, place, profile });
    },
    order(place, itemKey, names) {
      const refusals = new Map(names.map((name) => [name, avoidedSince(place, itemKey, name) ?? 0]));
      const ordered = names.toSorted((one, other) => (refusals.get(one) ?? 0) - (refusals.get(other) ?? 0));
      const [first] = ordered;
      if (first !== undefined) find(place, first)?.used();
      return ordered;
    },
    isAvoided: (place, itemKey, profile) => avoidedSince(place, itemKey, profile) !== undefined,
    used: (place, profile) => find(place, profile)?.used(),
    refusedAt: (place, itemKey, profile) => find(place, profile)?.refusedAt(() => hashOf(itemKey)),
    refusalsOf: (place, profile) => find(place, profile)?.refusals(),
    states: (platform) =>
      [...profiles.values()].flatMap((media) => media.state() ?? []).filter((state) => state.platform === platform),
    addFetches({ place, profile, tally, at, lastRefusal }) {
      profileAt(place, profile).add(tally, at, lastRefusal);
    },
    mergeMark: ({ place, profile, item, isRefused, bytes, at }) =>
      profileAt(place, profile).mergeMark({ item, isRefused, bytes, at }),
    observe(only) {
      observer = only;
    },
  };
}

function originOf({ origin, exit, country }: MediaFetch): Pick<CountedFetches, 'place' | 'profile'> {
  const place = { platform: origin.platform, exit, ...(country === undefined ? {} : { country }) };
  return { place, profile: origin.profile ?? onlyProfile };
}

function countsOf(fetch: MediaFetch): Pick<CountedFetches, 'at' | 'tally' | 'lastRefusal'> {
  const { outcome, status, bytes } = fetch;
  const at = Date.now();
  const counts = { at, tally: tallyOf(fetch) };
  if (!isRefusal(outcome)) return counts;
  return { ...counts, lastRefusal: { at, outcome, bytes, ...(status === undefined ? {} : { status }) } };
}

function isRefusal(outcome: MediaOutcome): outcome is LastRefusal['outcome'] {
  return outcome === 'refused' || outcome === 'cut';
}

/** Creates the function that returns a short text for the key of an item, whose parameters may be long. */
function createItemHashes(): (itemKey: string) => string {
  const hashes = new Map<string, string>();
  return (itemKey) => {
    const existing = hashes.get(itemKey);
    if (existing !== undefined) return existing;
    if (hashes.size >= MAX_HASHES) hashes.clear();
    const created = hash('sha256', itemKey, 'base64url');
    hashes.set(itemKey, created);
    return created;
  };
}
