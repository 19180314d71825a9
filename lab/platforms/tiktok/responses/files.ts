import { fileContent } from '../../../cdn/content.ts';
import type { MediaCache } from '../../../media/cache.ts';
import { mediaFile, type Recipe } from '../../../media/recipes.ts';
import { parseRendition } from '../../../media/titles.ts';
import { type PageAccess, videoHosts, videoLink } from '../links.ts';
import { findPost, type Post } from '../world/posts.ts';
import { documentedId } from '../world/scenarios.ts';

/**
 * One of the site's encodes, with the lab's file for it. The files that are declared as HEVC or VVC contain H.264 here.
 */
interface Encode {
  readonly gear: string;
  readonly quality: number;
  readonly codec: 'h264' | 'h265_hvc1' | 'h266_vvc';
  /** Name of the codec in keys. */
  readonly coder: 'h264' | 'bytevc1' | 'bytevc2';
  /** The site's name of the quality, which is not always the smaller side. */
  readonly label: string;
  readonly file: string;
  /** Only in videos of 12 seconds and more. */
  readonly rare?: true;
  /** Only in scenarios with odd files. */
  readonly odd?: true;
  /** End of its path. */
  readonly folder?: string;
}

const h264 = { codec: 'h264', coder: 'h264' } as const;
const hevc = { codec: 'h265_hvc1', coder: 'bytevc1' } as const;
const vvc = { codec: 'h266_vvc', coder: 'bytevc2' } as const;

/** The encodes. The player starts with the first one. The renditions are those that the videos of p1 have. */
const encodes: readonly [Encode, ...Encode[]] = [
  { gear: 'normal_540_0', quality: 20, ...h264, label: '540p', file: 'movie-360.mp4' },
  { gear: 'adapt_lowest_1080_1', quality: 2, ...hevc, label: '1080p', file: 'movie-1080.mp4', rare: true },
  { gear: 'adapt_lower_720_1', quality: 14, ...hevc, label: '720p', file: 'movie-720.mp4', rare: true },
  { gear: 'lowest_540_0', quality: 25, ...h264, label: '540p', file: 'movie-144.mp4' },
  { gear: 'adapt_lowest_1080_2', quality: 3, ...vvc, label: '1080p', file: 'movie-720.mp4', odd: true },
  {
    gear: 'adapt_540_1',
    quality: 28,
    ...hevc,
    label: '540p',
    file: 'video-360.mp4',
    odd: true,
    folder: 'media-video-hvc1/',
  },
];

/** Minimum duration in seconds of a video that has every encode. */
const fullSeconds = 12;

/** Returns the recipes of the first documented video's files. */
export function recipesOfFirst(): Recipe[] {
  const post = findPost(documentedId(1));
  if (post === undefined) throw new Error('The simulated site has no first post.');
  return encodesOf(post).map((encode) => recipeOf(post, encode));
}

/** Returns the members of a video for its files: all encodes for desktops, one link for phones. */
export async function videoFiles(cache: MediaCache, post: Post, client: 'desktop' | 'mobile', access: PageAccess) {
  if (post.detail === 'no_files') return { playAddr: '', downloadAddr: '' };
  const [main] = encodes;
  const first = await row(cache, post, main, access);
  const { width, height } = dimensionsOf(main);
  const size = { height, width };
  const [playAddr = ''] = first.PlayAddr.UrlList;
  if (post.shape === 'old') return { ...size, playAddr: playAddr.replace('https:', ''), downloadAddr: '' };
  const common = { ...size, playAddr, downloadAddr: post.oddFiles ? watermarkedLink(post, access) : '' };
  if (client === 'mobile') return common;
  return {
    ...common,
    ratio: main.label,
    bitrate: first.Bitrate,
    encodedType: 'normal',
    format: 'mp4',
    videoQuality: 'normal',
    encodeUserTag: '',
    codecType: main.codec,
    definition: main.label,
    volumeInfo: { Loudness: -23.5, Peak: 0.42 },
    bitrateInfo: await Promise.all(encodesOf(post).map((encode) => row(cache, post, encode, access))),
    ...(post.unsized ? {} : { PlayAddrStruct: first.PlayAddr }),
    size: first.PlayAddr.DataSize,
    VQScore: '75.07',
    claInfo: { hasOriginalAudio: true, enableAutoCaption: true, captionInfos: [], noCaptionReason: null },
    videoID: first.PlayAddr.Uri,
  };
}

function encodesOf({ seconds, oddFiles }: Post): readonly Encode[] {
  return encodes.filter(({ rare, odd }) => (!rare || seconds >= fullSeconds) && (!odd || oddFiles));
}

async function row(cache: MediaCache, post: Post, encode: Encode, access: PageAccess) {
  const { gear, quality, codec, coder, label, file, folder = '' } = encode;
  const { size } = await fileContent(await cache.path(recipeOf(post, encode)), 'video/mp4');
  const { width, height, rate } = dimensionsOf(encode);
  const bitrate = Math.ceil((size * 8) / post.seconds);
  const uri = `v24044gl0000lab${post.id}`;
  const links = videoHosts.map((host) => videoLink(post, file, access, { host, bitrate, folder }));
  const through = `https://www.tiktok.com/aweme/v1/play/?item_id=${post.id}&tk=tt_chain_token&video_id=${uri}`;
  return {
    Bitrate: bitrate,
    QualityType: quality,
    ...(post.unsized ? {} : { BitrateFPS: rate }),
    GearName: gear,
    PlayAddr: {
      DataSize: `${size}`,
      ...(post.unsized ? {} : { Width: width, Height: height }),
      Uri: uri,
      UrlList: [...links, through],
      UrlKey: `${uri}_${coder}_${label}_${bitrate}`,
      FileHash: Buffer.from(gear).toString('hex').padEnd(32, '0').slice(0, 32),
      FileCs: 'c:0-45620-704a',
    },
    CodecType: codec,
    MVMAF: '',
    Format: 'mp4',
    VideoExtra: '{"audio_bit_rate":32113}',
  };
}

function dimensionsOf({ file }: Encode) {
  const { width, height, rate } = parseRendition(/-(\w+)\./.exec(file)?.[1] ?? '') ?? {};
  return { width, height, rate };
}

function watermarkedLink(post: Post, access: PageAccess): string {
  return videoLink(post, 'movie-180.mp4', access);
}

function recipeOf({ media }: Post, { file }: Encode): Recipe {
  const watermarkedFile = mediaFile(media, file);
  if (watermarkedFile === undefined) throw new Error(`The lab has no file ${file}.`);
  return watermarkedFile.recipe;
}
