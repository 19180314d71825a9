import { readFile } from 'node:fs/promises';
import type { Exchange } from '../http/exchange.ts';
import { type Box, findBox } from '../media/boxes.ts';
import { mediaFile } from '../media/recipes.ts';
import { parseTitle } from '../media/titles.ts';
import { bytesContent, textContent } from './content.ts';
import { lateFiles } from './late-fragments.ts';
import { languageFiles } from './matroska-languages.ts';
import { phoneFiles } from './phone-tracks.ts';
import { primedFiles } from './primed-audio.ts';
import { type CdnTools, notFound } from './tools.ts';
import { addToIndex, boxOf, entries, rename, tablePath } from './track-boxes.ts';
import type { Unusual } from './unusual-file.ts';
import { recordingFiles } from './unusual-recordings.ts';
import { unusualTexts } from './unusual-texts.ts';

/** Ticks per second in the movie header, and in the headers of the tracks. */
const movieTicks = 48_000;
const trackTicks = [12_800, 48_000] as const;

/** Files below `/unusual/`, by name: forms that phones, cameras and programs write, but FFmpeg does not. */
export const unusualFiles: Readonly<Record<string, Unusual>> = {
  'edited.mp4': {
    about: 'plays one second from 1.2 s, and its index lists no keyframe before 4 s',
    patch(bytes) {
      trackTicks.forEach((ticks, track) => {
        const entry = entries(boxOf(bytes, track, ['edts', 'elst']));
        bytes.writeUInt32BE(movieTicks, entry);
        bytes.writeInt32BE(1.2 * ticks, entry + 4);
      });
      const keys = boxOf(bytes, 0, [...tablePath, 'stss']);
      bytes.copy(bytes, entries(keys), entries(keys) + 8, keys.end);
      bytes.writeUInt32BE(bytes.readUInt32BE(entries(keys) - 4) - 2, entries(keys) - 4);
    },
  },
  'empty-track.mp4': {
    about: 'declares twelve seconds of audio without a sample',
    patch(bytes) {
      for (const type of ['stts', 'stsc', 'stsz', 'stco']) {
        const { content, end } = boxOf(bytes, 1, [...tablePath, type]);
        bytes.fill(0, content, end);
      }
    },
  },
  'data-track.mp4': {
    about: 'has a track of timed metadata (mebx) instead of audio',
    patch: (bytes) => rename(bytes, 1, 'meta', 'mebx'),
  },
  'timecode.mp4': {
    about: 'has, instead of audio, a timecode track (tmcd) without a frame rate',
    patch: (bytes) => rename(bytes, 1, 'tmcd', 'tmcd'),
  },
  'long-mdat.mp4': {
    about: 'its mdat box declares eight bytes more than the file has',
    patch(bytes) {
      const { start, end } = findBox(bytes, ['mdat']);
      bytes.writeUInt32BE(end - start + 8, start);
    },
  },
  'motion-jpeg.mp4': {
    about: 'declares its video as Motion JPEG',
    patch: (bytes) => rename(bytes, 0, 'vide', 'jpeg'),
  },
  'one-picture.ts': {
    about: 'MPEG-TS of a single video frame beside twelve seconds of audio',
    source: 'movie-180.ts',
    patch: keepFirstPicture,
  },
  'misplaced.mp4': {
    about: 'the index places the second half of the audio at the position of the first frame',
    patch(bytes) {
      const [picture, sound] = [0, 1].map((track) => boxOf(bytes, track, [...tablePath, 'stco'])) as [Box, Box];
      const count = bytes.readUInt32BE(entries(sound) - 4);
      for (let chunk = Math.ceil(count / 2); chunk < count; chunk += 1) {
        bytes.copy(bytes, entries(sound) + 4 * chunk, entries(picture), entries(picture) + 4);
      }
    },
  },
  ...phoneFiles,
  ...primedFiles,
  ...languageFiles,
  ...lateFiles,
  ...recordingFiles,
};

/** Packet size of MPEG-TS in bytes, the ID that FFmpeg gives the first stream, and the ID of null packets. */
const transport = { packet: 188, video: 0x100, none: 0x1fff } as const;

/** Turns the video packets of an MPEG-TS file after the first frame into null packets. */
function keepFirstPicture(bytes: Buffer): void {
  let pictures = 0;
  for (let at = 0; at < bytes.length; at += transport.packet) {
    const id = bytes.readUInt16BE(at + 1);
    if ((id & 0x1fff) !== transport.video) continue;
    // The first packet of a frame has this flag.
    if ((id & 0x4000) !== 0) pictures += 1;
    if (pictures > 1) bytes.writeUInt16BE(transport.none, at + 1);
  }
}

/** Serves one of {@link unusualFiles} or {@link unusualTexts}. */
export async function sendUnusual(exchange: Exchange, { cache, send }: CdnTools, name: string): Promise<void> {
  const text = Object.hasOwn(unusualTexts, name) ? unusualTexts[name] : undefined;
  if (text !== undefined) return send(exchange, textContent(text.lines.join('\n'), text.type));
  const file = Object.hasOwn(unusualFiles, name) ? unusualFiles[name] : undefined;
  if (file === undefined) return notFound(exchange);
  const title = parseTitle('amber-12');
  const movie = title && mediaFile(title, file.source ?? 'movie-180.mp4');
  if (movie === undefined) throw new Error(`The lab has no file for ${name}.`);
  const bytes = await readFile(await cache.path(movie.recipe));
  file.patch?.(bytes);
  const changed = file.addedBoxes === undefined ? bytes : addToIndex(bytes, file.addedBoxes(bytes));
  const served = changed.subarray(0, Math.floor(changed.length * (file.share ?? 1)));
  await send(exchange, bytesContent(served, movie.type));
}
