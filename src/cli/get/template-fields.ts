import * as platforms from '../../platforms/links.ts';
import { tagsOf } from '../../renderables/file-additions.ts';
import type { FieldValues } from '../naming/template.ts';
import type { Choice } from './choose-file.ts';
import type { Extracted } from './extract-entry.ts';

/** What the command knows about a file besides its extraction. */
interface FilePosition {
  /** The title of the file or of the chapter. */
  readonly title: string;
  /** Position of the file in its collection, its post or the command. */
  readonly index: number;
  /** Title of its collection. */
  readonly collection?: string | undefined;
}

/** Returns the values of the fields of a template for a file. */
export function fieldsOf(
  { link, result: { metadata } }: Pick<Extracted, 'link' | 'result'>,
  { title, index, collection }: FilePosition,
  { label, ext }: Choice,
): FieldValues {
  const { artist, date, album } = tagsOf(metadata);
  const list = collection ?? album;
  const { shortcode, videoId, id } = metadata.additionalData ?? {};
  const stated = [shortcode, videoId, id].find((value) => typeof value === 'string');
  const height = /^(?:hls-|http-)?(\d{3,4})(?:p|$)/.exec(label)?.[1];
  return {
    title,
    id: String(stated ?? Object.values(link.parameters)[0] ?? ''),
    index: String(index),
    quality: label,
    ext,
    platform: Object.values(platforms).find(({ id: platform }) => platform === link.platform)?.name ?? link.platform,
    ...(artist === undefined ? {} : { author: artist }),
    ...(date === undefined ? {} : { date }),
    ...(list === undefined ? {} : { collection: list }),
    ...(height === undefined ? {} : { height }),
  };
}
