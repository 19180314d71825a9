import { type Box, children, optional, readBody, required, walkBoxes } from '../mp4/boxes.ts';
import { Declined } from '../mp4/declined.ts';
import { Fields } from '../mp4/fields.ts';
import { readTrackId } from '../mp4/tracks.ts';
import type { ByteSource } from './byte-source.ts';
import { maxMovieBytes } from './mp4-samples.ts';

/**
 * The ids of tracks of an MP4 file whose edit list has an empty edit after another edit: the track pauses there. FFmpeg
 * 8.1 plays the beginning of the track instead (seen 2026-11-22).
 */
export function pausedTracks(source: ByteSource): ReadonlySet<number> {
  try {
    for (const box of walkBoxes(source)) {
      if (box.type !== 'moov') continue;
      const tracks = children(readBody(source, box, maxMovieBytes)).filter(({ type }) => type === 'trak');
      return new Set(tracks.filter(pauses).map(({ body }) => readTrackId(required(children(body), 'tkhd'))));
    }
    return new Set();
  } catch (error) {
    if (error instanceof Declined) return new Set();
    throw error;
  }
}

function pauses({ body }: Box): boolean {
  const edits = optional(children(body), 'edts');
  const list = edits === undefined ? undefined : optional(children(edits), 'elst');
  if (list === undefined) return false;
  const fields = new Fields(list);
  const { version } = fields.versionAndFlags();
  const count = fields.u32();
  for (let entry = 0; entry < count; entry += 1) {
    fields.skip(version === 1 ? 8 : 4);
    const mediaTime = version === 1 ? fields.i64() : fields.i32();
    fields.skip(4);
    if (mediaTime === -1 && entry > 0) return true;
  }
  return false;
}
