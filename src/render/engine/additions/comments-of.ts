import { chapterComments } from '../chapters/vorbis-chapters.ts';
import { type Comment, encodeComments, placeholder, tagComments } from '../tags/vorbis-comments.ts';
import type { Additions } from '../tasks/additions.ts';

/**
 * Returns tags and chapters as Vorbis comments. Chapters after the end of the result are kept, because the muxer
 * reserves the space before the end is known.
 */
export function commentsOf({ tags, chapters }: Additions): Comment[] {
  return [...tagComments(tags), ...chapterComments(chapters)];
}

/** Returns the metadata that makes the muxer reserve space for comments. */
export function roomFor(comments: readonly Comment[]): Record<string, string> {
  return comments.length === 0 ? {} : placeholder(encodeComments(comments));
}
