import { type Box, children, optional, readBody, required, walkBoxes } from '../mp4/boxes.ts';
import { Declined } from '../mp4/declined.ts';
import { Fields } from '../mp4/fields.ts';
import { maxMovieBytes } from '../mp4/movie.ts';
import { readTrackId } from '../mp4/tracks.ts';
import type { ByteSource } from './byte-source.ts';

/** What the index (`moov`) of an MP4 file says that the media library does not. */
export interface IndexFacts {
  /** Whether it lists all samples, so that a track without any is empty; not so in fragmented files. */
  readonly listed: boolean;
  /**
   * Ids of the tracks whose edit list has an empty edit after another edit: they pause there. FFmpeg 8.1 plays their
   * beginning instead (seen 2026-11-22).
   */
  readonly paused: ReadonlySet<number>;
}

/** The facts of a file without an index that can be read. */
export const noIndex: IndexFacts = { listed: false, paused: new Set() };

/** Reads the index of an MP4 file. */
export function readIndexFacts(source: ByteSource): IndexFacts {
  try {
    for (const box of walkBoxes(source)) {
      if (box.type !== 'moov') continue;
      const boxes = children(readBody(source, box, maxMovieBytes));
      const tracks = boxes.filter(({ type }) => type === 'trak').filter(pauses);
      return {
        listed: !boxes.some(({ type }) => type === 'mvex'),
        paused: new Set(tracks.map(({ body }) => readTrackId(required(children(body), 'tkhd')))),
      };
    }
    return noIndex;
  } catch (error) {
    if (error instanceof Declined) return noIndex;
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
