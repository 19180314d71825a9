import { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, list, text } from '../../../parsing/values.ts';
import type { Copies } from './records.ts';
import { readVideoFacts } from './video.ts';

/** Returns whether a video has an age gate. */
export function isForAdults(video: Copies): boolean {
  return /\bage\b|\b1[68]\b|adult/i.test(warningOf(video) ?? '');
}

/**
 * Returns why guests get no file of a video: a warning, an age gate, or a broadcast that is still live. Returns
 * undefined if the page shows no reason.
 */
export function findObstacle(video: Copies): MillraceError | undefined {
  const reason = warningOf(video);
  if (isForAdults(video))
    return new MillraceError('age_restricted', 'The video is for adults only.', defined({ reason }));
  if (reason !== undefined) {
    return new MillraceError('unavailable', 'Facebook hides the video behind a warning.', { reason });
  }
  if (!readVideoFacts(video).live) return undefined;
  const message = 'The video is a live broadcast that has not ended. Its file becomes available afterwards.';
  return new MillraceError('unavailable', message, { retryable: true });
}

function warningOf(video: Copies): string | undefined {
  for (const { uiInterstitialContent: content } of video) {
    const words = [dig(content, 'title'), dig(content, 'text'), dig(content, 'subtitle'), ...list(content)]
      .map((part) => text(part) ?? text(dig(part, 'text')))
      .filter((part) => part !== undefined);
    if (words.length > 0) return words.join(' ').slice(0, 500);
  }
  return undefined;
}
