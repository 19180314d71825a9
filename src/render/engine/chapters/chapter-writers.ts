import type { ContainerFormat } from '../formats/container-formats.ts';
import type { ChapterWriter } from './chapter-writer.ts';
import { id3ChapterWriter } from './id3-writer.ts';
import { matroskaChapterWriter } from './matroska-writer.ts';
import { mp4ChapterWriter } from './mp4-writer.ts';
import { chapterComments } from './vorbis-comments.ts';

/** Chapter writers by the storage method of the container. */
export const chapterWriters: Readonly<Record<NonNullable<ContainerFormat['chapters']>, ChapterWriter>> = {
  comments: { metadata: chapterComments },
  id3: id3ChapterWriter,
  matroska: matroskaChapterWriter,
  mp4: mp4ChapterWriter,
};
