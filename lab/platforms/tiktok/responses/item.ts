import type { CdnTools } from '../../../cdn/tools.ts';
import { parseRendition } from '../../../media/titles.ts';
import {
  musicHost,
  type PageAccess,
  pictureHosts,
  pictureLink,
  plainMusicHost,
  subtitleHost,
  timedLink,
  videoLink,
} from '../links.ts';
import type { Post } from '../world/posts.ts';
import { documentedId } from '../world/scenarios.ts';
import { videoFiles } from './files.ts';
import { avatars, roundCount, statsOf, userBasics } from './people.ts';

/** Client for which a page describes a post. */
export type Client = 'desktop' | 'mobile';

const photoHeights = [720, 480, 360] as const;

/** Returns a post as in the site's pages (`itemStruct`); pages for desktops contain more. */
export async function itemOf({ cache }: CdnTools, post: Post, client: Client, access: PageAccess) {
  const desktop = client === 'desktop';
  const exact = desktop && post.shape === 'new';
  return {
    id: post.detail === 'other_post' ? documentedId(2) : post.id,
    desc: post.caption,
    createTime: `${post.createdAt}`,
    ...(await mediaOf(cache, post, client, access)),
    author: author(post, client),
    music: music(post, desktop),
    challenges: post.tags.map((title, place) => ({ id: `${1_600_000 + place}`, title, desc: '' })),
    stats: stats(post, desktop),
    ...(exact ? { statsV2: exactStats(post), authorStatsV2: statsOf(post.by).exact } : {}),
    warnInfo: [],
    textExtra: textExtra(post),
    effectStickers: [],
    authorStats: desktop ? statsOf(post.by).rounded : phoneStats(post.by),
    stickersOnItem: desktop ? [{ stickerText: ['A word on the picture'], stickerType: 4 }] : [],
    comments: [],
    indexEnabled: true,
    ...(post.kind === 'photo' ? { imagePost: imagePost(post) } : { diversificationLabels: ['Crafts', 'Hobbies'] }),
    locationCreated: 'US',
    suggestedWords: [`more ${post.tags.join(' ')}`],
    channelTags: [],
    ...(desktop ? desktopMembers(post) : {}),
  };
}

async function mediaOf(cache: CdnTools['cache'], post: Post, client: Client, access: PageAccess) {
  if (post.detail === 'classified') return { isContentClassified: true };
  if (post.detail === 'new_kind') return { labPost: { parts: [{ id: '1', text: 'A new kind of item' }] } };
  return { video: await video(cache, post, client, access) };
}

async function video(cache: CdnTools['cache'], post: Post, client: Client, access: PageAccess) {
  const cover = pictureLink(`o${post.id}-cover`, 'tiktokx-origin.image');
  const photo = post.kind === 'photo';
  const files = photo
    ? {
        height: 0,
        width: 0,
        playAddr: post.sound === 'part' ? videoLink(post, 'sound.m4a', access) : '',
        downloadAddr: '',
      }
    : await videoFiles(cache, post, client, access);
  const sides = [240, 480, 720, 960];
  const zoomSizes = sides.map((side) => [
    side,
    pictureLink(`o${post.id}-cover`, `photomode-zoomcover:${side}:${side}.jpeg`, pictureHosts[1]),
  ]);
  return {
    id: post.id,
    duration: photo ? 0 : post.seconds,
    cover,
    originCover: pictureLink(`o${post.id}-origin`, 'tiktokx-origin.image'),
    dynamicCover: photo ? '' : pictureLink(`o${post.id}-dynamic`, 'tiktokx-origin.image'),
    ...files,
    shareCover: [''],
    reflowCover: '',
    subtitleInfos: photo || post.shape === 'old' ? [] : [subtitle(post)],
    ...(photo ? {} : { zoomCover: Object.fromEntries(zoomSizes) }),
  };
}

function subtitle(post: Post) {
  return {
    UrlExpire: `${Math.floor(Date.now() / 1000) + 24 * 3600}`,
    Size: '51',
    LanguageID: '2',
    LanguageCodeName: 'eng-US',
    Url: timedLink(subtitleHost, post, 'subtitle.vtt', 'video_mp4'),
    Format: 'webvtt',
    Version: '1:whisper_lid',
    Source: 'ASR',
  };
}

function author({ by }: Post, client: Client) {
  const basics = userBasics(by);
  if (client === 'desktop') {
    return { ...basics, createTime: 1_608_061_074, privateAccount: false, secret: false, roomId: '' };
  }
  const { diggCount: _likesGiven, ...counts } = phoneStats(by);
  return { ...basics, ...counts };
}

/** Returns the counts of an author on pages for phones. */
function phoneStats({ followers, following, hearts, videos }: Post['by']) {
  return {
    followingCount: following,
    followerCount: roundCount(followers),
    videoCount: videos,
    heartCount: roundCount(hearts),
    diggCount: 0,
  };
}

function music(post: Post, desktop: boolean) {
  const { avatarLarger, avatarMedium, avatarThumb } = avatars(post.by);
  const untold = post.sound === 'untold';
  const host = untold ? plainMusicHost : musicHost;
  const link = timedLink(host, post, untold ? 'sound.m4a' : 'sound.mp3', 'audio_mpeg');
  return {
    id: `${BigInt(post.id) + 1_000_000n}`,
    title: 'original sound',
    playUrl: untold ? link.replace('&mime_type=audio_mpeg', '') : link,
    coverLarge: avatarLarger,
    coverMedium: avatarMedium,
    coverThumb: avatarThumb,
    authorName: post.by.nickname,
    duration: post.seconds,
    ...(desktop ? { original: true, private: false, isCopyrighted: false } : {}),
  };
}

function stats({ likes, shares, comments, views, saves }: Post, desktop: boolean) {
  return {
    diggCount: roundCount(likes),
    shareCount: shares,
    commentCount: comments,
    playCount: roundCount(views),
    // On pages for desktops, this count is text, unlike the others.
    collectCount: desktop ? `${saves}` : saves,
  };
}

function exactStats({ likes, shares, comments, views, saves }: Post) {
  return {
    diggCount: `${likes}`,
    shareCount: `${shares}`,
    commentCount: `${comments}`,
    playCount: `${views}`,
    collectCount: `${saves}`,
    repostCount: '0',
  };
}

/** Returns the tags and the user in the text of a post, with their positions. */
function textExtra({ caption, tags }: Post) {
  const common = { awemeId: '', type: 1, subType: 0, isCommerce: false };
  return [
    ...tags.map((hashtagName) => ({ ...common, ...placeOf(caption, `#${hashtagName}`), hashtagName })),
    {
      ...common,
      ...placeOf(caption, '@theoldlab'),
      hashtagName: '',
      type: 0,
      userId: '6800',
      userUniqueId: 'theoldlab',
    },
  ];
}

function placeOf(caption: string, word: string) {
  const start = caption.indexOf(word);
  return { start, end: start + word.length };
}

function imagePost(post: Post) {
  const photos: readonly object[] = photoHeights.map((height) => photo(post, height));
  const images = post.oddPhoto ? photos.with(1, { labClip: { ...photos[1] } }) : photos;
  return { images, cover: images[0], shareCover: { imageURL: { urlList: [] } }, title: `Photos of ${post.tags[1]}` };
}

/** Returns a photo, whose links are mirrors of one file. */
function photo({ id }: Post, height: number) {
  const urlList = pictureHosts.map((host) => pictureLink(`o${id}-photo-${height}`, 'photomode-image.jpeg', host));
  return { imageURL: { urlList }, imageWidth: parseRendition(`${height}`)?.width, imageHeight: height };
}

function desktopMembers({ caption }: Post) {
  return {
    scheduleTime: 0,
    originalItem: false,
    officalItem: false,
    secret: false,
    forFriend: false,
    digged: false,
    itemCommentStatus: 0,
    takeDown: 0,
    privateItem: false,
    duetEnabled: true,
    stitchEnabled: true,
    isAd: false,
    shareEnabled: true,
    duetDisplay: 0,
    stitchDisplay: 0,
    contents: [{ desc: caption, textExtra: [] }],
    diversificationId: 10_040,
    collected: false,
    item_control: { can_share: true, can_comment: true, can_repost: true },
    IsAigc: false,
    AIGCDescription: '',
    CategoryType: 111,
    textLanguage: 'en',
    textTranslatable: true,
  };
}
