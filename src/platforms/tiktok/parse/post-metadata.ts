import type { ContentMetadata } from '../../../contract/envelope.ts';
import {
  count,
  defined,
  type Fields,
  fields,
  flag,
  isoTime,
  list,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import { postUrl, secondOf } from '../links.ts';
import type { ClientName } from '../site.ts';
import { captionParts, hashtagsOf } from './caption.ts';
import { readComments } from './comments.ts';
import { coverOf } from './images.ts';
import { mediaUrl } from './media-links.ts';
import { bestStats, person } from './people.ts';
import type { Post } from './post.ts';
import { musicFacts } from './sounds.ts';
import { readSubtitles } from './subtitles.ts';

const MAX_ITEMS = 100;

/** Returns the metadata of a post: everything except its files. */
export function postMetadata(
  id: string,
  { item, comments, lists }: Pick<Post, 'item' | 'comments' | 'lists'>,
  strategy: ClientName,
): ContentMetadata {
  const video = fields(item.video);
  const imagePost = fields(item.imagePost);
  return defined({
    title: text(item.desc) ?? text(imagePost.title),
    thumbnailUrl: coverOf(imagePost) ?? mediaUrl(video.cover) ?? mediaUrl(video.originCover),
    author: author(item),
    comments: comments === undefined ? undefined : readComments(comments, lists),
    additionalData: {
      ...additionalData(id, item, strategy),
      ...defined({ subtitles: unlessEmpty(readSubtitles(video, lists)) }),
    },
  });
}

function author(item: Fields): Record<string, unknown> | undefined {
  const members = person(fields(item.author), bestStats(item.authorStatsV2, item.authorStats));
  return unlessBare(members);
}

function additionalData(id: string, item: Fields, strategy: ClientName) {
  const video = fields(item.video);
  const imagePost = fields(item.imagePost);
  const createdTime = count(item.createTime) || secondOf(id);
  const { tags, mentions } = captionParts(item);
  const images = list(imagePost.images).length;
  return defined({
    id,
    source: strategy,
    type: item.imagePost === undefined ? 'video' : 'photo',
    url: postUrl({ id, ...defined({ user: handleOf(item) }) }),
    createdAt: isoTime(createdTime),
    createdTime,
    duration: count(video.duration) || undefined,
    imageCount: images > 0 ? images : undefined,
    photoTitle: text(imagePost.title),
    statistics: unlessBare(statistics(item)),
    hashtags: unlessEmpty(hashtagsOf(item)),
    tags: unlessEmpty(tags),
    mentions: unlessEmpty(mentions),
    music: unlessBare(musicFacts(fields(item.music))),
    location: text(item.locationCreated),
    place: unlessBare({ ...fields(item.poi) }),
    playlist: unlessBare(playlist(fields(item.mixInfo))),
    stickers: unlessEmpty(list(item.stickersOnItem).slice(0, MAX_ITEMS).flatMap(stickerText)),
    labels: unlessEmpty(
      list(item.diversificationLabels)
        .slice(0, MAX_ITEMS)
        .flatMap((label) => text(label) ?? []),
    ),
    suggestedWords: unlessEmpty(
      list(item.suggestedWords)
        .slice(0, MAX_ITEMS)
        .flatMap((word) => text(word) ?? []),
    ),
    language: text(item.textLanguage),
    isAd: flag(item.isAd),
    isAiGenerated: flag(item.IsAigc),
    duetEnabled: flag(item.duetEnabled),
    stitchEnabled: flag(item.stitchEnabled),
  });
}

/** Returns the counts. The desktop page has exact ones beside the rounded ones (seen since mid-2025). */
function statistics(item: Fields): Record<string, unknown> {
  const stats = bestStats(item.statsV2, item.stats);
  return defined({
    viewCount: count(stats.playCount),
    likeCount: count(stats.diggCount),
    commentCount: count(stats.commentCount),
    shareCount: count(stats.shareCount),
    saveCount: count(stats.collectCount),
    repostCount: count(stats.repostCount),
  });
}

function playlist(mix: Fields): Record<string, unknown> {
  return defined({
    id: text(mix.mixId) ?? text(mix.id),
    title: text(mix.mixName) ?? text(mix.name),
    videoCount: count(mix.videoCount),
  });
}

function stickerText(value: unknown): string[] {
  return list(fields(value).stickerText)
    .slice(0, MAX_ITEMS)
    .flatMap((line) => text(line) ?? []);
}

function handleOf(item: Fields): string | undefined {
  const handle = text(fields(item.author).uniqueId);
  return handle !== undefined && /^[\w.-]{1,64}$/.test(handle) ? handle : undefined;
}

function unlessBare<T extends object>(members: T): T | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}
