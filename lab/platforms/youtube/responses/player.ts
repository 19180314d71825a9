import type { CdnTools } from '../../../cdn/tools.ts';
import type { Issue } from '../../../links/links.ts';
import { clock } from '../../words.ts';
import { type Node, pictures, simple, titleOf } from '../shapes/basics.ts';
import { scheduledAt } from '../shapes/renderers.ts';
import { currentVideo, issuedVideo } from '../world/changes.ts';
import { findVideo, publishedAt, type Video } from '../world/videos.ts';
import { captionsOf } from './captions.ts';
import type { LinkClient } from './links.ts';
import { type ClientName, playableStatus, refusalOf, unknownStatus } from './playability.ts';
import { streamingData } from './streaming.ts';

/** Request of a client to the player. */
interface PlayerQuery {
  readonly videoId: string;
  readonly client: ClientName;
  readonly hl: string;
  readonly linkClient: LinkClient;
  /** Name, version and User-Agent of the client. */
  readonly profile: string;
  /** Whether the site accepts the visitor. */
  readonly trusted: boolean;
  /** Whether streams are requested: their files must be generated to report their sizes. */
  readonly streams: boolean;
}

/** Returns the player response. */
export async function playerResponse(tools: Pick<CdnTools, 'cache' | 'links'>, query: PlayerQuery): Promise<Node> {
  const { videoId, client, hl, linkClient, profile, trusted, streams } = query;
  const { cache, links } = tools;
  const found = findVideo(videoId);
  if (found === undefined) return { playabilityStatus: unknownStatus(client) };
  const video = currentVideo(found, links);
  if (video.refusal === 'other_video') return playerResponse(tools, { ...query, videoId: 'lab-min-002' });
  const refusal = refusalOf(video, client, linkClient.country, trusted);
  // For some videos, the response contains only the refusal.
  const silent = !trusted || ['private', 'removed', 'account'].includes(video.refusal ?? '');
  const streamsOf = (issue: Issue) => streamingData(cache, issuedVideo(video, issue), client, linkClient, issue);
  return {
    playabilityStatus: refusal ?? playableStatus(video),
    ...(silent ? {} : { videoDetails: detailsOf(video, hl) }),
    ...(silent || client !== 'WEB' ? {} : { microformat: { playerMicroformatRenderer: microformatOf(video, hl) } }),
    ...(refusal === undefined
      ? {
          ...(streams
            ? { streamingData: await streamsOf(links.issue({ platform: 'p1', item: videoId, profile })) }
            : {}),
          ...captionsOf(video, hl),
          storyboards: { playerStoryboardSpecRenderer: { spec: storyboard(video), recommendedLevel: 1 } },
        }
      : {}),
  };
}

function detailsOf(video: Video, hl: string): Node {
  const { id, channel, seconds, live, views } = video;
  return {
    videoId: id,
    title: titleOf(video, hl),
    lengthSeconds: `${live === 'on_air' || live === 'upcoming' ? 0 : seconds}`,
    keywords: ['lab', channel.topic],
    channelId: channel.id,
    isOwnerViewing: false,
    shortDescription: descriptionOf(video),
    isCrawlable: true,
    thumbnail: { thumbnails: pictures(video) },
    allowRatings: !video.noLikes,
    viewCount: `${views}`,
    author: channel.name,
    isPrivate: false,
    isUnpluggedCorpus: false,
    isLiveContent: live !== undefined,
    ...(live === 'on_air' ? { isLive: true, isLiveDvrEnabled: true } : {}),
    ...(live === 'upcoming' ? { isUpcoming: true } : {}),
  };
}

/** Returns a video's description, including any chapters. */
export function descriptionOf({ channel, chapters, seconds }: Video): string {
  const starts = ['Start', 'Middle', 'End'].map(
    (title, third) => `${clock(Math.floor((seconds * third) / 3))} ${title}`,
  );
  const more = chapters ? `\n\n${starts.join('\n')}` : '';
  return [
    `Three weeks, two broken lenses and a lot of ${channel.topic}. Thank you for watching!`,
    `Notes and sources: https://lab.example/${channel.topic} #lab`,
  ]
    .join('\n\n')
    .concat(more);
}

function microformatOf(video: Video, hl: string): Node {
  const { id, channel, seconds, live, views, likes, onlyIn, notIn, kind } = video;
  const countries = onlyIn ?? ['AD', 'BE', 'DE', 'FR', 'GB', 'JP', 'US'].filter((code) => !notIn?.includes(code));
  const publishDate = new Date(publishedAt(video)).toISOString().replace('.000Z', '+00:00');
  const broadcast =
    live === 'upcoming'
      ? { isLiveNow: false, startTimestamp: new Date(scheduledAt(video) * 1000).toISOString() }
      : {
          isLiveNow: live === 'on_air',
          startTimestamp: publishDate,
          ...(live === 'ended' ? { endTimestamp: publishDate } : {}),
        };
  return {
    thumbnail: { thumbnails: [{ url: `https://i.ytimg.com/vi/${id}/maxresdefault.jpg`, width: 1280, height: 720 }] },
    embed: { iframeUrl: `https://www.youtube.com/embed/${id}`, width: 1280, height: 720 },
    title: simple(titleOf(video, hl)),
    description: simple(descriptionOf(video)),
    lengthSeconds: `${seconds}`,
    ownerProfileUrl: `http://www.youtube.com/@${channel.handle}`,
    externalChannelId: channel.id,
    isFamilySafe: video.refusal !== 'age',
    availableCountries: countries,
    isUnlisted: false,
    hasYpcMetadata: video.refusal === 'payment',
    viewCount: `${views}`,
    category: 'Education',
    publishDate: publishDate,
    ownerChannelName: channel.name,
    uploadDate: publishDate,
    isShortsEligible: kind === 'short',
    externalVideoId: id,
    ...(video.noLikes ? {} : { likeCount: `${likes}` }),
    ...(live === undefined ? {} : { liveBroadcastDetails: broadcast }),
    canonicalUrl: `https://www.youtube.com${kind === 'short' ? `/shorts/${id}` : `/watch?v=${id}`}`,
  };
}

/** Returns the storyboard sheets: the address of each level, and their sizes. */
function storyboard({ id }: Video): string {
  const levels = ['48#27#100#10#10#0#default#lab', '80#45#100#10#10#1000#M$M#lab'];
  return [`https://i.ytimg.com/sb/${id}/storyboard3_L$L/$N.jpg?sqp=lab`, ...levels].join('|');
}
