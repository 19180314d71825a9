import { codecsText } from '#client/codec-text.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { sizeText } from '../../contract/size-text.ts';
import { CommandError } from '../errors/command-errors.ts';
import { videoCodecOf } from './codec-names.ts';
import type { Condition, VideoWish } from './selector.ts';
import { bytesOf, fpsOf, isHdr, resolutionOf } from './video-properties.ts';

/** Maximum number of videos that an error lists. */
const MAX_LISTED = 12;

/** Codecs in order of preference: those that play on more devices first. */
const preferredCodecs = ['h264', 'av1', 'vp9', 'h265'];

/**
 * Selects the video of a content item that fulfils the first possible wish. Of equal resolutions, it prefers those that
 * play on more devices: without HDR, then by codec.
 *
 * @param text The selector, for the error.
 * @throws CommandError that lists the videos, if none fulfils a wish.
 */
export function selectVideo(content: ExtractedContent, wishes: readonly VideoWish[], text: string): MediaItem {
  const { videos = [] } = content;
  for (const { order, conditions } of wishes) {
    const direction = order === 'best' ? -1 : 1;
    const [selected] = videos
      .filter((video) => conditions.every((condition) => fulfils(video, condition, content)))
      .toSorted((a, b) => direction * (rankOf(a) - rankOf(b)) || preferenceOf(a) - preferenceOf(b));
    if (selected !== undefined) return selected;
  }
  const listed = [...new Set(videos.map((video) => describe(video, content)))];
  const list = `${listed.slice(0, MAX_LISTED).join('; ')}${listed.length > MAX_LISTED ? '; …' : ''}`;
  throw new CommandError(`No video matches ${text}. Available: ${list === '' ? 'none' : list}.`);
}

function fulfils(video: MediaItem, condition: Condition, content: ExtractedContent): boolean {
  if (condition.property === 'codec') {
    const codec = videoCodecOf(video.metadata);
    return codec !== undefined && condition.oneOf.includes(codec);
  }
  if (condition.property === 'hdr') return isHdr(video) === condition.value;
  const values = { resolution: resolutionOf(video), fps: fpsOf(video), bytes: bytesOf(video, content) };
  const actual = values[condition.property];
  if (actual === undefined) return condition.unknownPasses === true;
  const { value } = condition;
  const outcomes = {
    '<': actual < value,
    '<=': actual <= value,
    '=': actual === value,
    '>=': actual >= value,
    '>': actual > value,
  };
  return outcomes[condition.comparison];
}

function rankOf(video: MediaItem): number {
  return (resolutionOf(video) ?? 0) + (fpsOf(video) ?? 0) / 1000;
}

function preferenceOf(video: MediaItem): number {
  const index = preferredCodecs.indexOf(videoCodecOf(video.metadata) ?? '');
  return Number(isHdr(video)) * 10 + (index < 0 ? preferredCodecs.length : index);
}

function describe(video: MediaItem, content: ExtractedContent): string {
  const fps = fpsOf(video);
  const bytes = bytesOf(video, content);
  const facts = [
    video.label,
    codecsText(video.metadata),
    fps === undefined ? '' : `${fps} fps`,
    isHdr(video) && !/hdr/i.test(video.label) ? 'HDR' : '',
    bytes === undefined ? '' : sizeText(bytes),
  ];
  return facts.filter((fact) => fact !== '').join(' ');
}
