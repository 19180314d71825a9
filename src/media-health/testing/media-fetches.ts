import type { Caller } from '../../contract/caller.ts';
import type { MediaFetch, MediaOutcome } from '../../contract/media-fetch.ts';
import { itemKeyOf } from '../../contract/media-origin.ts';

const owner: Caller = { account: 'extraction:1', key: 'extraction:1' };
const MIB = 1024 * 1024;

/** Bytes that arrive before each outcome. */
const usualBytes: Readonly<Record<MediaOutcome, number>> = {
  arrived: 20 * MIB,
  refused: 0,
  cut: MIB,
  died: 10 * MIB,
  expired: 0,
  failed: 0,
};

/** Returns a fetch of the media of an item of p1. */
export function mediaFetch(
  outcome: MediaOutcome,
  { item = 'a', profile = 'first', exit = 'fr-1', ...more }: Partial<MediaFetch> & FetchOrigin = {},
): MediaFetch {
  const refusal = outcome === 'refused' || outcome === 'cut' ? { status: 403 } : {};
  const origin = { ...itemOf(item), content: 0, profile };
  return {
    consumer: 'render',
    caller: owner,
    origin,
    exit,
    country: 'FR',
    outcome,
    bytes: usualBytes[outcome],
    ...refusal,
    ...more,
  };
}

interface FetchOrigin {
  readonly item?: string;
  readonly profile?: string;
}

/** Returns the key of an item of p1. */
export function keyOf(item: string): string {
  return itemKeyOf(itemOf(item));
}

function itemOf(item: string) {
  return { platform: 'p1', endpoint: '/video/details', parameters: { videoId: item } };
}
