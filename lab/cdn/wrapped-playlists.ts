import { parseTrack } from '../media/titles.ts';
import { bytesContent, type Content, contentBytes } from './content.ts';
import { trackFile } from './hls-files.ts';
import { segmentName } from './playlist.ts';
import type { CdnTools } from './tools.ts';
import { clockHertz, moveClock } from './transport-clock.ts';
import { packAudio } from './transport-packets.ts';
import { complete, numbers, title, type UnusualPlaylist, withAudio } from './unusual-lines.ts';

/** Seconds after the beginning at which the clock of a playlist wraps around. */
const wraps = [2, 10] as const;

const clock = { turn: 2 ** 33, start: 1.4 } as const;

/** Video in MPEG-TS and packed audio that begins a segment later, on a clock that wraps around. */
export const wrappedPlaylists: Readonly<Record<string, UnusualPlaylist>> = Object.fromEntries(
  wraps.flatMap((seconds): [string, UnusualPlaylist][] => {
    const name = `wraps-${seconds}`;
    const list = (kind: string, extension: string, listed: readonly number[]) =>
      complete(listed.flatMap((number) => ['#EXTINF:4.000,', `${name}-${kind}-${number}.${extension}`]));
    const about = `video in MPEG-TS and packed audio, whose clock wraps around after ${seconds} s`;
    return [
      [`${name}.m3u8`, { about, lines: withAudio(`${name}-video.m3u8`, `${name}-audio.m3u8`) }],
      [`${name}-video.m3u8`, { about: 'that video', lines: list('video', 'ts', numbers) }],
      [`${name}-audio.m3u8`, { about: 'that audio', lines: list('audio', 'aac', numbers.slice(1)) }],
    ];
  }),
);

/** Returns a segment of {@link wrappedPlaylists}, such as `wraps-2-video-1.ts`. */
export async function wrappedSegment({ cache }: CdnTools, name: string): Promise<Content | undefined> {
  const [, seconds, kind, number] = /^wraps-(2|10)-(video|audio)-([1-6])\.(?:ts|aac)$/.exec(name) ?? [];
  const track = parseTrack(kind === 'audio' ? 'audio' : 'video-180');
  if (kind === undefined || track === undefined) return undefined;
  const segment = await trackFile(cache, title, track, segmentName(Number(number)));
  if (segment === undefined) return undefined;
  const ticks = clock.turn - (clock.start + Number(seconds)) * clockHertz;
  const bytes = moveClock(await contentBytes(segment), Math.round(ticks));
  return kind === 'audio' ? bytesContent(packAudio(bytes), 'audio/aac') : bytesContent(bytes, segment.type);
}
