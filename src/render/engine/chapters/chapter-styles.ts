import type { ContainerFormat } from '../formats/container-formats.ts';
import type { ChapterStyle } from './chapter-style.ts';
import { id3Chapters } from './id3-writer.ts';
import { matroskaChapters } from './matroska-writer.ts';
import { mp4Chapters } from './mp4-writer.ts';
import { commentsOf } from './vorbis-comments.ts';

/** How containers take chapters. */
export const chapterStyles: Readonly<Record<NonNullable<ContainerFormat['chapters']>, ChapterStyle>> = {
  comments: { metadata: commentsOf },
  id3: id3Chapters,
  matroska: matroskaChapters,
  mp4: mp4Chapters,
};
