import { queryParameter } from '../../../../contract/query-parameters.ts';
import { codecFamilies } from '../../../../hls/codec-families.ts';
import { count, defined, dig, type Fields, isFields, text } from '../../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl } from '../../../site-urls.ts';
import { type AudioTrack, parseTags, readAudioTrack } from './audio-track.ts';

/** One file of a video from the player's response, validated. */
export interface Format {
  readonly itag: number;
  readonly url: string;
  readonly kind: 'muxed' | 'video' | 'audio';
  readonly mimeType: string;
  readonly codecs: readonly string[];
  /** Codec family, such as `h264`. */
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  /** For example "1080p60 HDR"; absent for audio. */
  readonly qualityLabel?: string;
  readonly width: number;
  readonly height: number;
  readonly fps?: number;
  /** Peak bits per second. */
  readonly bitrate?: number;
  readonly averageBitrate?: number;
  readonly bytes?: number;
  readonly durationMs?: number;
  /** When the link expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly track?: AudioTrack;
  /** Whether it is audio with dynamic range compression. */
  readonly drc: boolean;
  /** Whether it is audio with amplified voices. */
  readonly voiceBoost: boolean;
  readonly hdr: boolean;
  /** Whether it was upscaled by a machine. */
  readonly superResolution: boolean;
  /** All members that the site provides. */
  readonly raw: Fields;
}

const hdrTransfers = /SMPTEST2084|ARIB_STD_B67/;

/**
 * Returns the unique ID of a format within its video: the itag, and further properties if an itag occurs more than
 * once.
 */
export function formatId({ itag, track, drc, voiceBoost, superResolution }: Format): string {
  const marks = [drc ? 'drc' : '', voiceBoost ? 'vb' : '', superResolution ? 'sr' : ''];
  return [String(itag), track?.id ?? '', ...marks].filter((part) => part !== '').join('-');
}

/** Returns a file that can be fetched directly, or undefined for any other one. */
export function readFormat(raw: unknown): Format | undefined {
  if (!isFields(raw)) return undefined;
  const itag = count(raw.itag);
  const mimeType = mimeTypeOf(raw);
  const url = typeof raw.url === 'string' ? parseSiteUrl(raw.url) : null;
  if (itag === undefined || mimeType === undefined || !isHttpUrl(url)) return undefined;
  if (queryParameter(url, 'n') !== undefined || isUnsupported(raw)) return undefined;
  const codecs = codecsOf(mimeType);
  const { video, audio } = codecFamilies(codecs);
  const kind = kindOf(raw, mimeType, codecs);
  const tags = parseTags(queryParameter(url, 'xtags'));
  return {
    itag,
    url: url.href,
    kind,
    mimeType,
    codecs,
    width: kind === 'audio' ? 0 : (count(raw.width) ?? 0),
    height: kind === 'audio' ? 0 : (count(raw.height) ?? 0),
    ...defined({
      videoCodec: kind === 'audio' ? undefined : video,
      audioCodec: kind === 'video' ? undefined : audio,
      qualityLabel: kind === 'audio' ? undefined : text(raw.qualityLabel)?.slice(0, 50),
      fps: count(raw.fps) || undefined,
      bitrate: count(raw.bitrate) || undefined,
      averageBitrate: count(raw.averageBitrate) || undefined,
      bytes: (count(raw.contentLength) ?? count(queryParameter(url, 'clen'))) || undefined,
      durationMs: count(raw.approxDurationMs) || undefined,
      expiresAt: millis(queryParameter(url, 'expire')),
      track: readAudioTrack(raw.audioTrack, tags),
    }),
    drc: raw.isDrc === true || tags.drc === '1',
    voiceBoost: raw.isVb === true || tags.vb === '1',
    hdr: hdrTransfers.test(String(dig(raw.colorInfo, 'transferCharacteristics'))) || / HDR\b/.test(label(raw)),
    superResolution: tags.sr === '1',
    raw,
  };
}

/**
 * Returns the kind of a file that was not read because it has an unknown format. Returns undefined if a file like it
 * cannot be fetched directly.
 *
 * @param isServed Whether the site's own protocol (SABR) serves files that have no link.
 */
export function unreadFormatKind(raw: unknown, isServed: boolean): string | undefined {
  if (!isFields(raw)) return 'format';
  if (isUnsupported(raw)) return undefined;
  if (count(raw.itag) === undefined) return 'format-without-itag';
  if (mimeTypeOf(raw) === undefined) return 'format-without-mimeType';
  return httpSiteUrl(raw.url) !== undefined || isWithoutLink(raw, isServed) ? undefined : 'format-without-url';
}

/** Returns whether the site provides no link: it is enciphered, or there is no address under any name. */
function isWithoutLink(raw: Fields, isServed: boolean): boolean {
  if (raw.url !== undefined) return false;
  const isEnciphered = raw.signatureCipher !== undefined || raw.cipher !== undefined;
  return isEnciphered || (isServed && !/"(?:[a-z]+:)?\/\//.test(JSON.stringify(raw)));
}

/** Returns the type of a file with audio or video. */
function mimeTypeOf({ mimeType }: Fields): string | undefined {
  const type = text(mimeType);
  return type !== undefined && type.length <= 200 && /^(?:audio|video)\//.test(type) ? type : undefined;
}

function isHttpUrl(url: URL | null): url is URL {
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

function isUnsupported({ drmFamilies, type, targetDurationSec }: Fields): boolean {
  return drmFamilies !== undefined || type === 'FORMAT_STREAM_TYPE_OTF' || targetDurationSec !== undefined;
}

function kindOf({ audioChannels, audioQuality }: Fields, mimeType: string, codecs: readonly string[]): Format['kind'] {
  if (mimeType.startsWith('audio/')) return 'audio';
  return codecs.length > 1 || audioChannels !== undefined || audioQuality !== undefined ? 'muxed' : 'video';
}

function codecsOf(mimeType: string): readonly string[] {
  const codecList = /codecs="([^"]{1,150})"/.exec(mimeType)?.[1] ?? '';
  return codecList
    .split(',')
    .map((codec) => codec.trim())
    .filter((codec) => codec !== '');
}

function label({ qualityLabel }: Fields): string {
  return typeof qualityLabel === 'string' ? qualityLabel : '';
}

function millis(seconds: string | undefined): number | undefined {
  return seconds !== undefined && /^\d{9,11}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
