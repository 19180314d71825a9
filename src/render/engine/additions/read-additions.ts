import type { ByteSource } from '../binary/byte-source.ts';
import { withFile } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { readMp4Tags } from '../mp4/additions/tag-reader.ts';
import { flacBlockKinds, flacBlocks } from '../tags/flac-blocks.ts';
import { readId3Tags } from '../tags/id3-tags.ts';
import { readOggComments } from '../tags/ogg-comments.ts';
import { readPictureBlock } from '../tags/picture-block.ts';
import { riffChunks } from '../tags/riff-chunks.ts';
import type { StoredAdditions } from '../tags/stored-additions.ts';
import { readCommentTags } from '../tags/vorbis-comments.ts';

/** Readers by the name of FFmpeg's demuxer for the file. */
const readers: Readonly<Record<string, (source: ByteSource) => StoredAdditions>> = {
  [isoFormat]: readMp4Tags,
  ogg: readOggTags,
  flac: readFlacTags,
  mp3: (source) => readId3Tags(source),
  aac: (source) => readId3Tags(source),
  wav: readWavTags,
};

/**
 * Reads the tags and the cover of a file natively.
 *
 * @param format - FFmpeg's name of the demuxer for the file.
 * @returns Undefined if this module does not read the format, or if the tags are damaged.
 */
export function readAdditions(path: string, format: string): StoredAdditions | undefined {
  const reader = readers[format];
  if (reader === undefined) return undefined;
  try {
    return withFile(path, reader);
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}

/** Reads the tags of the first stream with tags. */
function readOggTags(source: ByteSource): StoredAdditions {
  for (const comments of readOggComments(source)) {
    const stored = readCommentTags(comments);
    if (Object.keys(stored.tags).length > 0 || stored.cover !== undefined) return stored;
  }
  return { tags: {} };
}

/** Reads the comments and the first picture. */
function readFlacTags(source: ByteSource): StoredAdditions {
  const blocks = [...flacBlocks(source)];
  const read = (kind: number) => {
    const block = blocks.find((each) => each.kind === kind);
    return block === undefined ? undefined : source.read(block.offset, block.size);
  };
  const [comments, picture] = [read(flacBlockKinds.comments), read(flacBlockKinds.picture)];
  return {
    tags: comments === undefined ? {} : readCommentTags(comments).tags,
    ...(picture === undefined ? {} : { cover: readPictureBlock(picture) }),
  };
}

function readWavTags(source: ByteSource): StoredAdditions {
  const chunk = riffChunks(source).find(({ id }) => id.toLowerCase() === 'id3 ');
  return chunk === undefined ? { tags: {} } : readId3Tags(source, chunk.offset);
}
