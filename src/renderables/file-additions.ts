import { maxClipSeconds } from '../contract/clip.ts';
import type { ContentMetadata } from '../contract/envelope.ts';
import { type AddedChapter, additionLimits, type OutputMetadata } from '../contract/output-additions.ts';
import { count, defined, fields, httpUrl, list, text } from '../parsing/values.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { chooseCover } from './choose-cover.ts';
import type { FileAdditions } from './finish-file.ts';
import type { RenderOptions } from './render-options.ts';

/** Maximum length of a description in a file. */
const MAX_DESCRIPTION = 5000;
const MAX_URL = 2048;

/** Returns the tags, the chapters and the cover that are written into the files of a content item. */
export function additionsOf(
  metadata: ContentMetadata,
  content: ContentMedia,
  { embed, tags: requestedTags = {} }: Pick<RenderOptions, 'embed' | 'tags'>,
): FileAdditions {
  const tags = embed.has('metadata') ? { ...tagsOf(metadata), ...requestedTags } : {};
  const chapters = embed.has('chapters') ? chaptersOf(metadata) : [];
  const cover = embed.has('cover') ? chooseCover(metadata, content) : undefined;
  return {
    ...(Object.keys(tags).length === 0 ? {} : { metadata: tags }),
    ...(chapters.length === 0 ? {} : { chapters: [...chapters] }),
    ...(cover === undefined ? {} : { cover: { url: cover } }),
  };
}

/** Returns the tags of a post. Captions are titles of several lines, whose first line becomes the title. */
export function tagsOf({ title, author, playlist, additionalData }: ContentMetadata): OutputMetadata {
  const data = fields(additionalData);
  const owner = fields(author);
  const url = httpUrl(data.url);
  return defined({
    title: tag(text(title)?.split(/[\r\n]/, 1)[0]),
    artist: tag(owner.name) ?? tag(owner.username) ?? tag(owner.handle),
    album: tag(fields(data.playlist).title) ?? tag(fields(fields(playlist).info).title),
    date: dateOf(data.uploadedAt) ?? dateOf(data.publishedAt) ?? dateOf(data.createdAt),
    description: tag(data.description, MAX_DESCRIPTION) ?? tag(data.caption, MAX_DESCRIPTION) ?? captionOf(title),
    url: url === undefined || url.length > MAX_URL ? undefined : url,
    genre: tag(data.category) ?? tag(data.channel),
  });
}

/** Returns a title with several lines, which is the caption of the post. */
function captionOf(title: unknown): string | undefined {
  const caption = text(title)?.trim();
  return caption?.includes('\n') ? tag(caption, MAX_DESCRIPTION) : undefined;
}

function tag(value: unknown, maxLength: number = additionLimits.text): string | undefined {
  const words = text(value)?.trim().slice(0, maxLength).toWellFormed().trim();
  return words === '' ? undefined : words;
}

function dateOf(value: unknown): string | undefined {
  return /^\d{4}-\d{2}-\d{2}(?![0-9])/.exec(text(value) ?? '')?.[0];
}

function chaptersOf({ additionalData }: ContentMetadata): readonly AddedChapter[] {
  return list(fields(additionalData).chapters)
    .flatMap((entry): AddedChapter[] => {
      const { title, startMs } = fields(entry);
      const words = tag(title, additionLimits.chapterTitle);
      const start = (count(startMs) ?? Number.NaN) / 1000;
      return words === undefined || !(start <= maxClipSeconds) ? [] : [{ start, title: words }];
    })
    .toSorted((a, b) => a.start - b.start)
    .slice(0, additionLimits.chapters);
}
