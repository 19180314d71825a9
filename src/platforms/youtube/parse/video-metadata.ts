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
  microformat,
  readFlags,
  readKind,
  readLive,
  readStatistics,
  readTexts,
  readTimes,
  texts,
} from './video-facts.ts';
import { readChapters, readHeatmap } from './watch/chapters.ts';
import { readMusic } from './watch/music.ts';
import { readWatchPage, type WatchPage } from './watch/watch-page.ts';

/** The answers that the details of a video are put together from; each may be missing. */
export interface DetailAnswers {
  /** Of the client that gave the media. */
  readonly player?: Fields | undefined;
  /** Of the WEB player, which alone has the microformat. */
  readonly web?: Fields | undefined;
  /** The same in the caller's language. */
  readonly localised?: Fields | undefined;
  readonly watch?: Fields | undefined;
  readonly related?: readonly ListItem[] | undefined;
  /** When what is not on air yet begins, in ISO 8601. */
  readonly scheduledAt?: string | undefined;
}

/** Puts together `metadata` of a video. Counts and dates come from English answers, texts from localised ones. */
export function readDetails(id: string, answers: DetailAnswers): ContentMetadata {
  const { player = {}, web = {}, localised = {}, watch = {} } = answers;
  const facts = dig(player, 'videoDetails') ?? dig(web, 'videoDetails');
  const format = microformat(web);
  const page = readWatchPage(watch);
  const title = firstText(
    dig(localised, 'videoDetails', 'title'),
    dig(facts, 'title'),
    dig(format, 'title'),
    page.title,
  );
  const thumbnails = readPictures(format, dig(web, 'videoDetails'), facts);
  const author = readAuthor(facts, format, page);
  return defined({
    title,
    thumbnailUrl: thumbnails[0]?.url,
    author,
    additionalData: {
      id,
      ...readKind(facts, format, id),
      ...readTexts(facts, format, localised),
      ...readTimes(format, page),
      ...readLive(facts, format, dig(answers.player ?? web, 'streamingData'), answers.scheduledAt),
      statistics: readStatistics(facts, format, page),
      ...readFlags(facts, format),
      ...defined({
        thumbnails: unlessEmpty(thumbnails),
        license: page.license,
        collaborators: page.collaborators,
        superTitle: page.superTitle,
        rows: page.rows,
        availableCountries: unlessEmpty(texts(dig(format, 'availableCountries'))),
        chapters: unlessEmpty(readChapters(watch)),
        music: unlessEmpty(readMusic(watch)),
        captions: unlessEmpty(readCaptions(player, web).tracks),
        storyboards: unlessEmpty(readStoryboards(player.storyboards === undefined ? web : player)),
        heatmap: unlessEmpty(readHeatmap(watch)),
        related: unlessEmpty(answers.related ?? []),
      }),
    },
  });
}

function readPictures(format: unknown, ...details: readonly unknown[]): readonly Picture[] {
  const lists = [...details.map((one) => dig(one, 'thumbnail')), dig(format, 'thumbnail')];
  return readThumbnails({ thumbnails: lists.flatMap((one) => list(dig(one, 'thumbnails')).slice(0, 6)) });
}

function readAuthor(facts: unknown, format: unknown, page: WatchPage): Record<string, unknown> | undefined {
  const id = channelIdOf(dig(facts, 'channelId')) ?? channelIdOf(dig(format, 'externalChannelId')) ?? page.channel?.id;
  if (id === undefined) return undefined;
  // Of those who made a video together, the page may name another one first.
  const own = [page.channel, ...(page.collaborators ?? [])].find((channel) => channel?.id === id);
  return {
    id,
    ...defined({
      name: own?.name ?? firstText(dig(facts, 'author'), dig(format, 'ownerChannelName')),
      handle: own?.handle ?? readHandle(dig(format, 'ownerProfileUrl')),
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
