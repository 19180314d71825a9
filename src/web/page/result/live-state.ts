import type { ExtractionResponse } from '#client/index.ts';
import { textAt } from '#client/read-members.ts';
import { flagAt } from '../common/read-members.ts';

/** The state of a stream that cannot be downloaded yet. */
export type LiveState =
  | { readonly state: 'live' }
  /** `startsAt` is undefined if the platform does not state it. */
  | { readonly state: 'upcoming'; readonly startsAt: Date | undefined };

/** Returns the state of a stream that is live or has not started; undefined for everything else. */
export function liveStateOf({ metadata: { additionalData: data } }: ExtractionResponse): LiveState | undefined {
  if (flagAt(data, 'isLive')) return { state: 'live' };
  if (!flagAt(data, 'isUpcoming')) return undefined;
  const time = Date.parse(textAt(data, 'live', 'scheduledAt') ?? '');
  return { state: 'upcoming', startsAt: Number.isNaN(time) ? undefined : new Date(time) };
}
