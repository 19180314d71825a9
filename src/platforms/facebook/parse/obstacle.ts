import { MillraceError } from '../../../contract/errors.ts';
import { dig, list, text } from '../../values.ts';
import type { Copies } from './records.ts';
import { readVideoFacts } from './video.ts';

/** Why a video has no files for guests: a warning before it, or that it is still on air. Undefined where nothing tells. */
export function findObstacle(video: Copies): MillraceError | undefined {
  const words = warningOf(video);
  if (words !== undefined) return behindWarning(words);
  if (!readVideoFacts(video).live) return undefined;
  const message = 'The video is a live broadcast that is still on air. Its file comes afterwards.';
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

function behindWarning(reason: string): MillraceError {
  return /\bage\b|\b1[68]\b|adult/i.test(reason)
    ? new MillraceError('age_restricted', 'The video is for adults only.', { reason })
    : new MillraceError('unavailable', 'Facebook hides the video behind a warning.', { reason });
}
