import { queryParameter } from '../../../contract/query-parameters.ts';
import { count, defined, type Fields, fields, list, text } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import type { ListReader } from './list-reader.ts';
import { mediaUrl } from './media-links.ts';
import { unknownLists } from './unknown-members.ts';

/** Maximum number of items of any list. The site's own lists are shorter. */
const MAX_FILES = 64;

/** The lists of a video. */
const knownLists = new Set(['bitrateInfo', 'shareCover', 'subtitleInfos']);

/** One file of a video. */
export interface VideoFile {
  readonly url: string;
  /** Stable between requests and unique within the video. */
  readonly repId: string;
  /** The site's own name for the quality (`540p`, which has 576 columns), or else one based on the shorter side. */
  readonly label: string;
  /** Whether it is the file that the site's player starts with. */
  readonly main: boolean;
  /** Pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  readonly hasAudio: boolean;
  /** Codec family. */
  readonly codec?: 'h264' | 'hevc';
  /** Bits per second. */
  readonly bitrate?: number;
  readonly bytes?: number;
  readonly fps?: number;
  /** The site's name for the encode, such as `adapt_lowest_1080_1`. */
  readonly gearName?: string;
  readonly qualityType?: number;
}

/**
 * Returns the files of a video without a watermark: the main one, then the others by pixel count. The main file is
 * usually in the list of encodes too, and is returned once. Omits `downloadAddr`, an encode with a watermark, and VVC
 * files, which no player supports.
 */
export function readVideoFiles(video: Fields, lists: ListReader): VideoFile[] {
  const rows = lists.read('video.bitrateInfo', video.bitrateInfo, MAX_FILES, (row) => {
    const members = fields(row);
    return linksOf(fields(members.PlayAddr)).length === 0 ? [] : [{ ...members, main: false }];
  });
  lists.unread.addAll(unknownLists('video', video, knownLists));
  const main = mainRow(video, rows);
  const others = rows.filter((row) => row !== main?.twin).toSorted((a, b) => rate(b) - rate(a));
  const files = others.flatMap((row) => readRow(row, video)).toSorted((a, b) => pixels(b) - pixels(a));
  return unique([...(main === undefined ? [] : readRow(main.row, video)), ...files]);
}

interface Row extends Fields {
  readonly main: boolean;
}

/** Returns the file that the player starts with, as a row like the others, and the identical row in the list. */
function mainRow(video: Fields, rows: readonly Row[]): { readonly row: Row; readonly twin?: Row } | undefined {
  const url = mediaUrl(video.playAddr);
  const address = fields(video.PlayAddrStruct);
  const links = [...(url === undefined ? [] : [url]), ...linksOf(address)];
  if (links.length === 0) return undefined;
  const key = text(address.UrlKey);
  const twin = rows.find((row) => {
    const other = fields(row.PlayAddr);
    return (key !== undefined && key === text(other.UrlKey)) || linksOf(other).some((link) => links.includes(link));
  });
  if (twin !== undefined) return { row: { ...twin, main: true }, twin };
  return {
    row: {
      main: true,
      Bitrate: video.bitrate,
      CodecType: video.codecType,
      PlayAddr: { DataSize: video.size, ...address, UrlList: links },
    },
  };
}

function readRow(row: Row, video: Fields): VideoFile[] {
  const address = fields(row.PlayAddr);
  const [url] = linksOf(address);
  const key = text(address.UrlKey) ?? '';
  const codec = codecOf(`${text(row.CodecType) ?? ''} ${key}`);
  if (url === undefined || codec === 'vvc') return [];
  const bitrate = count(row.Bitrate) || bitrateIn(url);
  const gearName = text(row.GearName);
  const quality = /_(\d{3,4})p_\d+$/.exec(key)?.[1] ?? /_(\d{3,4})_\d+$/.exec(gearName ?? '')?.[1];
  // The members of a video describe its main file. For posts of 2020, only they contain the dimensions.
  const ofVideo = dimensions(video.width, video.height);
  const { width, height } = dimensions(address.Width, address.Height) ??
    (row.main ? ofVideo : scaled(ofVideo, quality)) ?? { width: 0, height: 0 };
  const definition = row.main ? text(video.definition) : undefined;
  const side = Math.min(width, height);
  const label = (quality && `${quality}p`) ?? definition ?? (side > 0 ? `${side}p` : 'video');
  const encode = gearName ?? [label, codec, bitrate].filter((part) => part !== undefined).join('_');
  return [
    {
      url,
      repId: row.main ? 'main' : encode,
      label,
      main: row.main,
      width,
      height,
      // Other parsers of the site found that these files contain no audio.
      hasAudio: !parseSiteUrl(url)?.pathname.includes('/media-video-hvc1/'),
      ...defined({
        codec,
        bitrate,
        bytes: count(address.DataSize) || undefined,
        fps: count(row.BitrateFPS) || undefined,
        gearName,
        qualityType: count(row.QualityType),
      }),
    },
  ];
}

type Dimensions = Pick<VideoFile, 'width' | 'height'>;

function dimensions(columns: unknown, rows: unknown): Dimensions | undefined {
  const width = count(columns) ?? 0;
  const height = count(rows) ?? 0;
  return width * height > 0 ? { width, height } : undefined;
}

/** Computes the dimensions of an encode from those of the video. Encodes without a named quality have the same ones. */
function scaled(video: Dimensions | undefined, quality: string | undefined): Dimensions | undefined {
  if (video === undefined || quality === undefined) return video;
  const side = quality === '540' ? 576 : Number(quality);
  const scale = side / Math.min(video.width, video.height);
  const even = (pixels: number) => 2 * Math.round((pixels * scale) / 2);
  return { width: even(video.width), height: even(video.height) };
}

/** Returns the links of one file: two mirrors, and one through the site itself, which is often broken. */
function linksOf(address: Fields): string[] {
  const links = list(address.UrlList)
    .slice(0, MAX_FILES)
    .flatMap((link) => mediaUrl(link) ?? []);
  const through = (link: string) => Number(parseSiteUrl(link)?.pathname.startsWith('/aweme/') ?? false);
  return links.toSorted((a, b) => through(a) - through(b));
}

/**
 * Reads the bitrate from a link, which contains it in units of 1024 bits (2026-07: true of every encode whose exact
 * bitrate is in the page).
 */
function bitrateIn(url: string): number | undefined {
  const units = count(queryParameter(parseSiteUrl(url), 'bt')) ?? 0;
  return units > 0 ? units * 1024 : undefined;
}

/** Returns the codec; `bytevc1` and `bytevc2` are the site's names for its HEVC and VVC encoders. */
function codecOf(names: string): 'h264' | 'hevc' | 'vvc' | undefined {
  if (/bytevc2|h266|vvc/i.test(names)) return 'vvc';
  if (/bytevc1|h265|hevc|hvc1/i.test(names)) return 'hevc';
  return /h264|avc/i.test(names) ? 'h264' : undefined;
}

function pixels({ width, height }: VideoFile): number {
  return width * height;
}

function rate({ Bitrate }: Fields): number {
  return count(Bitrate) ?? 0;
}

/** Makes file names unique: appends the bitrate to duplicates, then their position. */
function unique(files: readonly VideoFile[]): VideoFile[] {
  const names = new Set<string>();
  return files.map((file, place) => {
    const choices = [file.repId, `${file.repId}_${file.bitrate ?? 0}`, `${file.repId}_${place}`];
    const repId = choices.find((name) => !names.has(name)) ?? `file_${place}`;
    names.add(repId);
    return { ...file, repId };
  });
}
