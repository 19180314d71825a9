import type { ContentMetadata } from '../../../contract/envelope.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { defined, dig, type Fields, list, unlessEmpty } from '../../../parsing/values.ts';
import { channelIdOf, channelUrl } from './ids.ts';
import type { ListItem } from './items/list-item.ts';
import { readHandle } from './outbound-links.ts';
import { readCaptions } from './player/captions.ts';
import { readStoryboards } from './player/storyboards.ts';
import { readThumbnails } from './thumbnails.ts';
import {
  firstText,
  readFlags,
  readKind,
  readLive,
  readMicroformat,
  readStatistics,
  readStrings,
  readTextFields,
  readTimes,
} from './video-facts.ts';
import { readChapters, readHeatmap } from './watch/chapters.ts';
import { readMusic } from './watch/music.ts';
import { readWatchPage, type WatchPage } from './watch/watch-page.ts';

/** The responses that video details are built from. Each may be missing. */
interface VideoMetadataInput {
  /** From the client that provided the media. */
  readonly player?: Fields | undefined;
  /** From the WEB player, the only one with the microformat. */
  readonly web?: Fields | undefined;
  /** The same response in the caller's language. */
  readonly translation?: Fields | undefined;
  readonly watch?: Fields | undefined;
  readonly related?: readonly ListItem[] | undefined;
  /** Start time of an upcoming video, in ISO 8601. */
  readonly scheduledAt?: string | undefined;
}

/** Builds the `metadata` of a video. Counts and dates come from English responses, texts from localised ones. */
export function readVideoMetadata(id: string, input: VideoMetadataInput): ContentMetadata {
  const { player = {}, web = {}, translation = {}, watch = {} } = input;
  const videoDetails = dig(player, 'videoDetails') ?? dig(web, 'videoDetails');
  const microformat = readMicroformat(web);
  const page = readWatchPage(watch);
  const title = firstText(
    dig(translation, 'videoDetails', 'title'),
    dig(videoDetails, 'title'),
    dig(microformat, 'title'),
    page.title,
  );
  const thumbnails = readPictures(microformat, dig(web, 'videoDetails'), videoDetails);
  const author = readAuthor(videoDetails, microformat, page);
  return defined({
    title,
    thumbnailUrl: thumbnails[0]?.url,
    author,
    additionalData: {
      id,
      ...readKind(videoDetails, microformat, id),
      ...readTextFields(videoDetails, microformat, translation),
      ...readTimes(microformat, page),
      ...readLive(videoDetails, microformat, dig(input.player ?? web, 'streamingData'), input.scheduledAt),
      statistics: readStatistics(videoDetails, microformat, page),
      ...readFlags(videoDetails, microformat),
      ...defined({
        thumbnails: unlessEmpty(thumbnails),
        license: page.license,
        collaborators: page.collaborators,
        superTitle: page.superTitle,
        rows: page.rows,
        availableCountries: unlessEmpty(readStrings(dig(microformat, 'availableCountries'))),
        chapters: unlessEmpty(readChapters(watch)),
        music: unlessEmpty(readMusic(watch)),
        captions: unlessEmpty(readCaptions(player, web).tracks),
        storyboards: unlessEmpty(readStoryboards(player.storyboards === undefined ? web : player)),
        heatmap: unlessEmpty(readHeatmap(watch)),
        related: unlessEmpty(input.related ?? []),
      }),
    },
  });
}

function readPictures(microformat: unknown, ...details: readonly unknown[]): readonly Picture[] {
  const lists = [...details.map((one) => dig(one, 'thumbnail')), dig(microformat, 'thumbnail')];
  return readThumbnails({ thumbnails: lists.flatMap((one) => list(dig(one, 'thumbnails')).slice(0, 6)) });
}

function readAuthor(videoDetails: unknown, microformat: unknown, page: WatchPage): Record<string, unknown> | undefined {
  const id =
    channelIdOf(dig(videoDetails, 'channelId')) ??
    channelIdOf(dig(microformat, 'externalChannelId')) ??
    page.channel?.id;
  if (id === undefined) return undefined;
  // If a video has several creators, the page may list another one first.
  const own = [page.channel, ...(page.collaborators ?? [])].find((channel) => channel?.id === id);
  return {
    id,
    ...defined({
      name: own?.name ?? firstText(dig(videoDetails, 'author'), dig(microformat, 'ownerChannelName')),
      handle: own?.handle ?? readHandle(dig(microformat, 'ownerProfileUrl')),
    }),
    url: channelUrl(id),
    ...defined({
      verified: own && (own.verified ?? false),
      thumbnails: own?.thumbnails,
      subscriberCount: own?.subscriberCount,
      subscriberCountText: own?.subscriberCountText,
      followerCount: own?.subscriberCount,
    }),
  };
}
