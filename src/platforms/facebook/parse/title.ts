import { dig, text } from '../../../parsing/values.ts';
import { isVideo } from './delivery.ts';
import { type Copies, pick } from './records.ts';

/**
 * Returns the title of a video. The member's name differs between parts of the site. `savable_title` is the text of the
 * video's post if the video has no title of its own (seen 2026-07).
 */
export function videoTitle(media: Copies): string | undefined {
  if (!media.some(isVideo)) return undefined;
  return ['title', 'video_title', 'savable_title']
    .map((name) => pick(media, (copy) => text(dig(copy, name, 'text'))))
    .find((title) => title !== undefined);
}
