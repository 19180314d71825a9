import type { MillraceError } from '../contract/errors.ts';

/** Which client profile the media links of a response come from, and which one they should have come from. */
interface ProfileUse {
  readonly preferred: string;
  readonly used: string;
  /** Why the preferred profile returned no media. Absent if its media was recently refused. */
  readonly failure?: MillraceError;
  /** The highest quality of the used profile, such as "360p, in one file", if the preferred one usually has more. */
  readonly quality?: string;
}

/** Returns the note on media links that do not come from the preferred client profile. */
export function profileNote({ preferred, used, failure, quality }: ProfileUse): string {
  if (quality === undefined) {
    return failure === undefined
      ? `The media links come from the client profile ${used}, because media of ${preferred} was recently refused.`
      : `The media links come from the client profile ${used}, because ${preferred} returned none. ${failure.message}`;
  }
  return failure === undefined
    ? `Some qualities are missing: the links come from the client profile ${used} (highest quality: ${quality}), because media of ${preferred} was recently refused.`
    : `Some qualities are missing: the links come from the client profile ${used} (highest quality: ${quality}), because ${preferred} returned none. ${failure.message}`;
}

/**
 * Returns the note for a profile that was tried before the preferred one, because media of that was recently refused.
 *
 * @param profiles The profiles in the preferred order.
 * @param order The order in which they were tried.
 */
export function noteOnOrder(profiles: readonly string[], order: readonly string[], used: string): readonly string[] {
  const [preferred] = profiles;
  if (preferred === undefined || order.indexOf(used) >= order.indexOf(preferred)) return [];
  return [profileNote({ preferred, used })];
}
