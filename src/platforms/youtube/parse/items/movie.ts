import { parseDuration } from '../../../../parsing/numbers.ts';
import { defined, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { readBadges } from '../badges.ts';
import { videoIdOf, videoUrl } from '../ids.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import { readChannelLink } from './channel-ref.ts';
import type { VideoItem } from './list-item.ts';

const MAX_FACTS = 20;

/** Reads `movieRenderer`, `gridMovieRenderer` and `compactMovieRenderer`. */
export function readMovie(node: unknown): VideoItem | undefined {
  const movie = fields(node);
  const id = videoIdOf(movie.videoId);
  if (id === undefined) return undefined;
  const durationText = readText(movie.lengthText);
  const facts = [...list(movie.topMetadataItems), ...list(movie.bottomMetadataItems)]
    .slice(0, MAX_FACTS)
    .flatMap((line) => readText(line) ?? []);
  const { labels } = readBadges(movie.badges);
  return {
    type: 'movie',
    id,
    ...defined({
      title: readText(movie.title),
      description: readText(movie.descriptionSnippet),
      channel: readChannelLink(movie.longBylineText, { badges: movie.ownerBadges }),
      duration: parseDuration(durationText),
      durationText,
      facts: unlessEmpty(facts),
      badges: unlessEmpty(labels),
      thumbnails: unlessEmpty(readThumbnails(movie.thumbnail)),
    }),
    url: videoUrl(id),
  };
}
