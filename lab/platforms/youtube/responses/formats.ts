import { fileContent } from '../../../cdn/content.ts';
import { boxesBetween } from '../../../media/boxes.ts';
import type { MediaCache } from '../../../media/cache.ts';
import { type MediaFile, mediaFile, type Recipe } from '../../../media/recipes.ts';
import { nextTitle, parseRendition, type Title } from '../../../media/titles.ts';
import type { Node } from '../shapes/basics.ts';
import { scenarios } from '../world/scenarios.ts';
import { findVideo, type Video } from '../world/videos.ts';

/** Format of the site, with the lab's file for it. */
export interface Format {
  readonly itag: number;
  readonly file: string;
  readonly codecs: string;
  /** `1080p`, `720p60`; absent for audio. */
  readonly label?: string;
  readonly quality: string;
  /** Only in videos of {@link fullSeconds}. */
  readonly rare?: true;
  readonly hdr?: true;
  readonly sixty?: true;
}

/** Format of one video, in one language of its audio. */
export interface Track {
  readonly format: Format;
  /** Language of the audio, if there are several. */
  readonly language?: string;
  readonly media: Title;
}

/**
 * Duration in seconds of videos that have every format. Videos of other lengths have only a few, which are generated
 * quickly.
 */
const fullSeconds = 30;

/** The formats with a single stream. */
export const adaptiveFormats: readonly Format[] = [
  { itag: 137, file: 'video-1080.mp4', codecs: 'avc1.640028', label: '1080p', quality: 'hd1080', rare: true },
  {
    itag: 332,
    file: 'video-360.webm',
    codecs: 'vp09.02.21.10',
    label: '360p HDR',
    quality: 'medium',
    rare: true,
    hdr: true,
  },
  {
    itag: 298,
    file: 'video-720p60.mp4',
    codecs: 'avc1.640020',
    label: '720p60',
    quality: 'hd720',
    rare: true,
    sixty: true,
  },
  { itag: 136, file: 'video-720.mp4', codecs: 'avc1.64001f', label: '720p', quality: 'hd720' },
  { itag: 134, file: 'video-360.mp4', codecs: 'avc1.4d401e', label: '360p', quality: 'medium' },
  { itag: 243, file: 'video-360.webm', codecs: 'vp9', label: '360p', quality: 'medium', rare: true },
  { itag: 160, file: 'video-144.mp4', codecs: 'avc1.4d400c', label: '144p', quality: 'tiny', rare: true },
  { itag: 140, file: 'audio.mp4', codecs: 'mp4a.40.2', quality: 'tiny' },
  { itag: 251, file: 'audio.webm', codecs: 'opus', quality: 'tiny', rare: true },
];

/** The format with video and audio in one file, which the reel response contains. */
export const muxedFormat: Format = {
  itag: 18,
  file: 'movie-360.mp4',
  codecs: 'avc1.42001E, mp4a.40.2',
  label: '360p',
  quality: 'medium',
};

/** The format with 1080p. */
const fullHdItag = 137;

/** The formats of large videos. */
const largeItags: ReadonlySet<number> = new Set([136, 140]);

const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  ja: 'Japanese',
};
/** Number of bytes at the start of an MP4 file that contain its index. */
const headBytes = 65_536;

/** Returns the tracks of a video. Each language of its audio has its own track. */
export function tracksOf(video: Video): Track[] {
  return adaptiveFormats
    .filter(
      ({ itag, rare, hdr, sixty }) =>
        (!video.isLarge || largeItags.has(itag)) &&
        (!rare || video.seconds === fullSeconds || (video.isFullHd && itag === fullHdItag)) &&
        (!hdr || video.hdr) &&
        (!sixty || video.sixty),
    )
    .flatMap((format) =>
      format.label === undefined && video.dubLanguages !== undefined
        ? ['en', ...video.dubLanguages].map((language) => trackOf(video, format, language))
        : [trackOf(video, format)],
    );
}

/** Returns the track of an itag in a language; undefined if the video does not have it. */
export function findTrack(video: Video, itag: number, language?: string): Track | undefined {
  if (itag === muxedFormat.itag) return trackOf(video, muxedFormat);
  return tracksOf(video).find((track) => track.format.itag === itag && track.language === language);
}

/** Returns the recipes of the files of all documented videos, except large ones. */
export function recipesOfScenarios(): Recipe[] {
  const videos = Object.keys(scenarios).map(findVideo);
  const tracks = videos.flatMap((video) =>
    video === undefined || video.isLarge ? [] : [...tracksOf(video), trackOf(video, muxedFormat)],
  );
  return tracks.map((track) => fileOf(track).recipe);
}

/** Returns the tags in a media link, such as `acont=original:lang=en`. */
export function xtagsOf({ language }: Track): string | undefined {
  if (language === undefined) return undefined;
  return `acont=${language === 'en' ? 'original' : 'dubbed-auto'}:lang=${language}`;
}

/** Returns a track as in the player response, with the true size of its file; `url` makes its link. */
export async function formatNode(cache: MediaCache, track: Track, seconds: number, url?: (size: number) => string) {
  const { format } = track;
  const file = fileOf(track);
  const content = await fileContent(await cache.path(file.recipe), file.type);
  const bitrate = Math.ceil((content.size * 8) / seconds);
  const node: Node = {
    itag: format.itag,
    ...(url === undefined ? {} : { url: url(content.size) }),
    mimeType: `${file.type}; codecs="${format.codecs}"`,
    bitrate: Math.ceil(bitrate * 1.2),
    ...(format.label === undefined ? soundFacts(track) : pictureFacts(format)),
    ...(file.type.endsWith('/mp4') && format !== muxedFormat ? await ranges(content) : {}),
    lastModified: '1760000000000000',
    // The muxed file is listed without its size, as in the reel response.
    ...(format === muxedFormat ? {} : { contentLength: `${content.size}` }),
    quality: format.quality,
    projectionType: 'RECTANGULAR',
    averageBitrate: bitrate,
    approxDurationMs: `${seconds * 1000}`,
  };
  return node;
}

function fileOf({ media, format }: Track): MediaFile {
  const file = mediaFile(media, format.file);
  if (file === undefined) throw new Error(`The lab has no file ${format.file}.`);
  return file;
}

function trackOf({ media, dubLanguages = [] }: Video, format: Format, language?: string): Track {
  let title = media;
  // Each language has a different tone.
  for (let place = language === undefined ? 0 : dubLanguages.indexOf(language) + 1; place > 0; place--)
    title = nextTitle(title);
  return { format, media: title, ...(language === undefined ? {} : { language }) };
}

function pictureFacts({ file, label, hdr }: Format): Node {
  const rendition = parseRendition(/-(\w+)\./.exec(file)?.[1] ?? '');
  const colorInfo = {
    primaries: 'COLOR_PRIMARIES_BT2020',
    transferCharacteristics: 'COLOR_TRANSFER_CHARACTERISTICS_SMPTEST2084',
    matrixCoefficients: 'COLOR_MATRIX_COEFFICIENTS_BT2020_NCL',
  };
  return {
    width: rendition?.width,
    height: rendition?.height,
    fps: rendition?.rate,
    qualityLabel: label,
    ...(hdr ? { colorInfo } : {}),
  };
}

function soundFacts({ language }: Track): Node {
  const name = languageNames[language ?? ''] ?? language;
  const id = `${language}.${language === 'en' ? 4 : 3}`;
  const original = language === 'en';
  const displayName = original ? `${name} original` : name;
  const audioTrack = { displayName, id, audioIsDefault: original, ...(original ? {} : { isAutoDubbed: true }) };
  return {
    audioQuality: 'AUDIO_QUALITY_MEDIUM',
    audioSampleRate: '48000',
    audioChannels: 2,
    loudnessDb: -3.5,
    ...(language === undefined ? {} : { audioTrack }),
  };
}

async function ranges(content: Awaited<ReturnType<typeof fileContent>>): Promise<Node> {
  const head = Buffer.concat(await Array.fromAsync(content.read(0, Math.min(headBytes, content.size))));
  const index = boxesBetween(head, 0, head.length).find(({ type }) => type === 'sidx');
  if (index === undefined) return {};
  return {
    initRange: { start: '0', end: `${index.start - 1}` },
    indexRange: { start: `${index.start}`, end: `${index.end - 1}` },
  };
}
