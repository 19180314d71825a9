import type { Exchange } from '../http/exchange.ts';
import { parseTrack } from '../media/titles.ts';
import { bytesContent, type Content, contentBytes, textContent } from './content.ts';
import { explicitVector } from './encryption.ts';
import { trackFile } from './hls-files.ts';
import { playlistType, segmentName } from './playlist.ts';
import { rankedPlaylists } from './ranked-playlists.ts';
import { ratePlaylists, rateSegment } from './sample-rates.ts';
import { type CdnTools, notFound } from './tools.ts';
import { moveStreams, packAudio } from './transport-packets.ts';
import {
  complete,
  fragments,
  head,
  numbers,
  segments,
  title,
  type UnusualPlaylist,
  variant,
  withAudio,
} from './unusual-lines.ts';
import { wrappedPlaylists, wrappedSegment } from './wrapped-playlists.ts';

/** Playlists below `/playlists/`, by name: what packagers may write, but FFmpeg does not. */
export const unusualPlaylists: Readonly<Record<string, UnusualPlaylist>> = {
  'variables.m3u8': {
    about: 'defines variables; the playlist of its variant imports one, and takes another from the query',
    lines: [
      `#EXT-X-DEFINE:NAME="folder",VALUE="/hls/${title.name}"`,
      ...variant('BANDWIDTH=500000', 'variables-180.m3u8?track=180'),
    ],
  },
  'variables-180.m3u8': {
    about: 'its variant',
    lines: complete([
      '#EXT-X-DEFINE:IMPORT="folder"',
      '#EXT-X-DEFINE:QUERYPARAM="track"',
      ...numbers.flatMap((number) => ['#EXTINF:4.000,', `{$folder}/{$track}/${segmentName(number)}`]),
    ]),
  },
  'vod.m3u8': {
    about: 'of type VOD, without an end',
    lines: [...head, '#EXT-X-PLAYLIST-TYPE:VOD', ...segments('180')],
  },
  'settled.m3u8': {
    about: 'without type and end; it never changes, and its target duration is one second',
    lines: ['#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:1', ...segments('180')],
  },
  'gap.m3u8': {
    about: 'its better variant lacks a segment',
    lines: [
      ...variant('BANDWIDTH=900000,RESOLUTION=640x360', 'gap-360.m3u8'),
      ...variant('BANDWIDTH=500000,RESOLUTION=320x180', `/hls/${title.name}/180/index.m3u8`),
    ],
  },
  'gap-360.m3u8': {
    about: 'that variant',
    lines: complete([...segments('360', [1, 2]), '#EXT-X-GAP', ...segments('360', [3]), ...segments('360', [4, 5, 6])]),
  },
  'gaps.m3u8': {
    about: 'each of its variants lacks a segment',
    lines: [
      ...variant('BANDWIDTH=900000,RESOLUTION=640x360', 'gap-360.m3u8'),
      ...variant('BANDWIDTH=500000,RESOLUTION=320x180', 'gap-180.m3u8'),
    ],
  },
  'gap-180.m3u8': {
    about: 'its smaller variant',
    lines: complete(['#EXT-X-GAP', ...segments('180')]),
  },
  'packed.m3u8': {
    about: 'video in MPEG-TS, and packed AAC that begins a segment later',
    lines: withAudio(`/hls/${title.name}/video-180/index.m3u8`, 'packed-audio.m3u8'),
  },
  'packed-audio.m3u8': {
    about: 'that audio',
    lines: complete([2, 3, 4, 5, 6].flatMap((number) => ['#EXTINF:4.000,', `packed-${number}.aac`])),
  },
  'late-audio.m3u8': {
    about: 'its audio begins three segments after its video',
    lines: withAudio(`/hls/${title.name}/video-180/index.m3u8`, 'late-audio-tone.m3u8'),
  },
  'late-audio-tone.m3u8': { about: 'that audio', lines: complete(segments('audio', [4, 5, 6])) },
  'late-fragments.m3u8': {
    about: 'the same in fragmented MP4',
    lines: withAudio('late-fragments-video.m3u8', 'late-fragments-tone.m3u8'),
  },
  'late-fragments-video.m3u8': { about: 'that video', lines: complete(fragments('video-180')) },
  'late-fragments-tone.m3u8': { about: 'that audio', lines: complete(fragments('audio', [4, 5, 6])) },
  'out-of-step.m3u8': {
    about: 'its video begins and ends a segment later than its audio',
    lines: withAudio('out-of-step-video.m3u8', 'out-of-step-audio.m3u8'),
  },
  'out-of-step-video.m3u8': { about: 'that video', lines: complete(segments('video-180', [2, 3, 4, 5, 6])) },
  'out-of-step-audio.m3u8': { about: 'that audio', lines: complete(segments('audio', [1, 2, 3, 4, 5])) },
  'key-after-map.m3u8': {
    about: 'fragmented MP4 whose initialization section precedes the key, and is not encrypted',
    lines: complete([
      `#EXT-X-MAP:URI="/hls/${title.name}/180/init.mp4"`,
      `#EXT-X-KEY:METHOD=AES-128,URI="/hls/${title.name}/180/key-1.bin",IV=0x${explicitVector(title, 1).toString('hex')}`,
      ...numbers.flatMap((number) => ['#EXTINF:4.000,', `/hls/${title.name}/180/aes-1/${segmentName(number, 'm4s')}`]),
    ]),
  },
  'disguised.m3u8': {
    about: 'its segments begin with a PNG, a JPEG or a web page',
    lines: complete(numbers.flatMap((number) => ['#EXTINF:4.000,', `disguised-${number}.png`])),
  },
  'moved.m3u8': {
    about: 'from its fourth segment on, its streams have other packet IDs, without a discontinuity',
    lines: complete([
      ...segments('180', [1, 2, 3]),
      ...[4, 5, 6].flatMap((number) => ['#EXTINF:4.000,', `moved-${number}.ts`]),
    ]),
  },
  ...rankedPlaylists,
  ...ratePlaylists,
  ...wrappedPlaylists,
};

/** Serves a file below `/playlists/`: one of {@link unusualPlaylists}, or a segment that only these list. */
export async function sendUnusualPlaylist(exchange: Exchange, tools: CdnTools, name: string): Promise<void> {
  const playlist = Object.hasOwn(unusualPlaylists, name) ? unusualPlaylists[name] : undefined;
  const content =
    playlist === undefined
      ? ((await changedSegment(tools, name)) ?? (await wrappedSegment(tools, name)) ?? (await rateSegment(tools, name)))
      : textContent(['#EXTM3U', ...playlist.lines, ''].join('\n'), playlistType);
  if (content === undefined) return notFound(exchange);
  await tools.send(exchange, content);
}

/** What segments are disguised as. */
const disguises = [
  Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\n'), Buffer.alloc(300, 0x47)]),
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from('JFIF\0'), Buffer.alloc(300, 0x47)]),
  Buffer.from(`<!doctype html>\n<html><body>${'G'.repeat(300)}</body></html>\n`),
] as const;

/**
 * Returns `packed-1.aac` (packed audio), `moved-1.ts` (other packet IDs) or `disguised-1.png`, made of the title's
 * segments.
 */
async function changedSegment({ cache }: CdnTools, name: string): Promise<Content | undefined> {
  const [, kind, number] = /^(packed|moved|disguised)-([1-6])\.(?:aac|ts|png)$/.exec(name) ?? [];
  const track = parseTrack(kind === 'packed' ? 'audio' : '180');
  if (kind === undefined || track === undefined) return undefined;
  const segment = await trackFile(cache, title, track, segmentName(Number(number)));
  if (segment === undefined) return undefined;
  const bytes = await contentBytes(segment);
  if (kind === 'disguised') {
    const disguise = disguises[Number(number) % disguises.length] ?? disguises[0];
    return bytesContent(Buffer.concat([disguise, bytes]), 'image/png');
  }
  return kind === 'packed'
    ? bytesContent(packAudio(bytes), 'audio/aac')
    : bytesContent(moveStreams(bytes), segment.type);
}
