import type { Issue, ItemRefusal, Links } from '../../../links/links.ts';
import { nextTitle } from '../../../media/titles.ts';
import type { RefusalName } from './scenarios.ts';
import type { Video } from './videos.ts';

const refusals: Readonly<Record<ItemRefusal, RefusalName>> = {
  removed: 'removed',
  private: 'private',
  age_restricted: 'age',
};

/** Returns a video as the site shows it now: it may have been removed or hidden. */
export function currentVideo(video: Video, links: Links): Video {
  const refusal = links.refusalOf('p1', video.id);
  return refusal === undefined ? video : { ...video, refusal: refusals[refusal] };
}

/** Returns the video whose files the links of an issue lead to. */
export function issuedVideo(video: Video, issue: Issue | undefined): Video {
  return issue?.isResized ? { ...video, media: nextTitle(video.media) } : video;
}
