import { defined, dig, fields, unlessEmpty } from '../../../../parsing/values.ts';
import { shortUrl, videoIdOf } from '../ids.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { VideoItem } from './list-item.ts';
import { readViewCounts } from './view-counts.ts';

/** Reads `shortsLockupViewModel`, which contains neither a duration nor a date. */
export function readShortsLockup(node: unknown): VideoItem | undefined {
  const lockup = fields(node);
  const id = videoIdOf(
    dig(lockup.onTap, 'innertubeCommand', 'reelWatchEndpoint', 'videoId') ??
      String(lockup.entityId ?? '').replace(/^shorts-shelf-item-/, ''),
  );
  if (id === undefined) return undefined;
  const picture =
    dig(lockup.thumbnailViewModel, 'thumbnailViewModel', 'image') ??
    dig(lockup.thumbnailViewModel, 'image') ??
    lockup.thumbnail;
  return {
    type: 'short',
    id,
    ...defined({
      title: readText(dig(lockup.overlayMetadata, 'primaryText')),
      thumbnails: unlessEmpty(readThumbnails(picture)),
    }),
    ...readViewCounts(readText(dig(lockup.overlayMetadata, 'secondaryText'))),
    url: shortUrl(id),
  };
}
