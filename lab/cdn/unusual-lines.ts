import { parseTitle, type Title } from '../media/titles.ts';
import { segmentName } from './playlist.ts';

/** A playlist below `/playlists/`. */
export interface UnusualPlaylist {
  readonly about: string;
  /** Its lines after the first one. */
  readonly lines: readonly string[];
}

/** The title whose segments the playlists list: six segments of four seconds. */
export const title = titleOf('coral-24');
export const numbers = [1, 2, 3, 4, 5, 6];

/** First lines of a media playlist. */
export const head = ['#EXT-X-VERSION:8', '#EXT-X-TARGETDURATION:4'];

/** Returns the lines of a media playlist that has ended. */
export const complete = (lines: readonly string[]) => [...head, ...lines, '#EXT-X-ENDLIST'];

/** Returns the lines of segments of a track, given their numbers. */
export function segments(track: string, listed: readonly number[] = numbers): string[] {
  return listed.flatMap((number) => ['#EXTINF:4.000,', `/hls/${title.name}/${track}/${segmentName(number)}`]);
}

/** The same in fragmented MP4, with the initialization section. */
export function fragments(track: string, listed: readonly number[] = numbers): string[] {
  const folder = `/hls/${title.name}/${track}`;
  const lines = listed.flatMap((number) => ['#EXTINF:4.000,', `${folder}/${segmentName(number, 'm4s')}`]);
  return [`#EXT-X-MAP:URI="${folder}/init.mp4"`, ...lines];
}

/** Returns the lines of a variant in a master playlist. */
export const variant = (attributes: string, url: string) => [`#EXT-X-STREAM-INF:${attributes}`, url];

/** Returns the lines of a master playlist of a video with separate audio. */
export const withAudio = (video: string, audio: string) => [
  `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Tone",DEFAULT=YES,URI="${audio}"`,
  ...variant('BANDWIDTH=500000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="sound"', video),
];

function titleOf(name: string): Title {
  const parsed = parseTitle(name);
  if (parsed === undefined) throw new Error(`The lab has no ${name}.`);
  return parsed;
}
