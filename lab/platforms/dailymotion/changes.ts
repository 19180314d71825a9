import type { Issue, ItemRefusal, Links } from '../../links/links.ts';
import { nextTitle } from '../../media/titles.ts';
import type { Video } from './catalogue.ts';

const refusals: Readonly<Record<ItemRefusal, string>> = {
  removed: 'DM002',
  private: 'DM010',
  age_restricted: 'DM008',
};

/** Returns a video as the site shows it now: it may have been removed or hidden. */
export function currentVideo(video: Video, links: Links): Video {
  const refusal = links.refusalOf('p5', video.id);
  return refusal === undefined ? video : { ...video, refusal: refusals[refusal] };
}

/** Returns the video whose files the links of an issue lead to. */
export function issuedVideo(video: Video, issue: Issue | undefined): Video {
  return issue?.isResized ? { ...video, title: nextTitle(video.title) } : video;
}
