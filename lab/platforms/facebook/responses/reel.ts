import { shortCount } from '../../words.ts';
import { pictureLink } from '../links.ts';
import { type PageParts, type QueryResult, sitePage } from '../page.ts';
import { type Video, videoNumbered } from '../world/videos.ts';
import { changedResult } from './changed.ts';
import { playerLists, wholeFiles } from './delivery.ts';
import { countsNode, countsOf, reelCounts } from './feedback.ts';
import { mediaNode, ownerNode, reelStory, storyId } from './video.ts';

/** Returns the page of a reel: the reel, its deferred parts, and another suggested reel. */
export function reelPage(video: Video, host: string): string {
  const pageVideo = video.refusal === 'others' ? other(video) : video;
  const operation = 'FBReelsRootWithEntrypointQuery';
  const story = reelStory(pageVideo);
  const extensions = playerLists(pageVideo);
  const suggestedStory = reelStory(other(pageVideo));
  return sitePage({
    ...headOf(video.differs === 'head' ? other(video) : pageVideo, host),
    ...(video.delivery === 'text' ? { raw: brokenPage(pageVideo) } : {}),
    results: changedIf(video.differs === 'reel page' || video.differs === 'all pages', [
      ...(video.delivery === 'text'
        ? []
        : [{ operation, data: { video: { id: pageVideo.id, creation_story: story } }, extensions }]),
      ...(video.delivery === 'text'
        ? []
        : [
            {
              operation,
              label: 'FBReelsMediaTransitionContainer_initial_reels$defer$FBReelsFeedbackBar_feedback',
              path: ['video', 'creation_story'],
              data: { id: storyId(pageVideo), post_id: pageVideo.postId, ...reelCounts(pageVideo.postId) },
            },
          ]),
      { operation: 'FBReelsSuggestedQuery', data: { suggested_reels: { edges: [{ node: suggestedStory }] } } },
    ]),
  });
}

/** Returns a watch page. */
export function watchPage(video: Video, host: string): string {
  const pageVideo = video.refusal === 'others' ? other(video) : video;
  const operation = 'CometVideoHomeNewPermalinkHeroUnitQuery';
  const id = storyId(pageVideo);
  const story = {
    id,
    post_id: pageVideo.postId,
    creation_time: pageVideo.created,
    attachments: [{ media: mediaNode(pageVideo) }],
  };
  const views = {
    video_view_count_renderer: { feedback: { play_count: pageVideo.plays, video_view_count: viewsOf(pageVideo) } },
  };
  const transcript = `Spoken words of lab video ${pageVideo.id}.`;
  return sitePage({
    ...headOf(pageVideo, host),
    results: changedIf(video.differs === 'all pages', [
      { operation, data: { video: { id: pageVideo.id, story } }, extensions: playerLists(pageVideo) },
      {
        operation,
        label: 'CometVideoHomeNewPermalinkHeroUnit$defer$LeftBottomSection',
        path: ['video'],
        data: {
          id: pageVideo.id,
          title: { text: pageVideo.text },
          owner: ownerNode(pageVideo),
          feedback: { ...countsNode(pageVideo.postId), ...views },
        },
      },
      {
        operation: 'CometVideoHomeNewPermalinkAuxiliaryQuery',
        data: { video: { id: pageVideo.id, video_home_www_loe_video_permalink_seo_info: { transcript } } },
      },
    ]),
  });
}

/** Returns the plays of a video in one post, which are a part of its plays in all posts. */
function viewsOf({ plays }: Video): number {
  return Math.floor(plays / 4);
}

/** Returns the page of an embedded player: no data layer, links in a script. */
export function embedPage(video: Video): string {
  const { hd, sd } = wholeFiles(video);
  const files = video.differs === 'all pages' ? { lab_src: hd } : { hd_src: hd, sd_src: sd };
  const data = JSON.stringify({ video_id: video.id, ...files }).replaceAll('/', '\\/');
  const script = `<script>requireLazy(["VideoPlayer"],function(p){p(${data})})</script>`;
  return `<!DOCTYPE html><html><head><title>Facebook</title></head><body>${script}</body></html>`;
}

function changedIf(isChanged: boolean, results: readonly QueryResult[]): readonly QueryResult[] {
  return isChanged ? results.map(changedResult) : results;
}

function headOf(video: Video, host: string): Pick<PageParts, 'host' | 'path' | 'title' | 'properties'> {
  const { id, owner, plays, postId, text } = video;
  const words = `${shortCount(plays)} views · ${shortCount(countsOf(postId).reactions)} reactions`;
  return {
    host,
    path: `/${owner.vanity}/videos/lab-video/${id}/`,
    title: `${words} | ${text} | ${owner.name}`,
    properties: { 'og:description': text, 'og:image': pictureLink(id, 1280, 720) },
  };
}

/** Returns another video, which a page contains beside the requested one, or instead of it. */
function other({ id }: Video): Video {
  return videoNumbered(`7${id.slice(1, -6)}999999`);
}

/** Returns a page whose result is truncated but contains the links. */
function brokenPage(video: Video): string {
  const json = JSON.stringify({ require: [['x', { __bbox: { result: { data: { video: mediaNode(video) } } } }]] });
  return json.replaceAll('/', '\\/').slice(0, -12);
}
