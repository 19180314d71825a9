import { extname } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';
import { parseTemplate } from './template.ts';

/** The audio formats that a file name can request. */
const audioExtensions = ['mp3', 'm4a', 'opus', 'flac', 'wav'] as const;

/** The audio format that a file name can request. */
type AudioExtension = (typeof audioExtensions)[number];

/** Extensions of media files, by kind. Others say nothing about the content. */
const mediaExtensions = {
  audio: [...audioExtensions, 'aac', 'ogg', 'oga', 'mka', 'weba'],
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'heic', 'avif'],
  video: ['mp4', 'm4v', 'mkv', 'webm', 'mov', 'ts', 'avi', 'flv'],
} as const;

/** What the extension of a file name requests. */
export interface ExtensionWish {
  readonly kind: keyof typeof mediaExtensions;
  readonly extension: string;
  /** The format to make, if the extension is that of an audio format. */
  readonly audioFormat?: AudioExtension;
}

/**
 * Returns what the extension of `--output` requests: an audio format, an image or a video container. Undefined if it
 * names a folder, or has no extension of media.
 */
export function extensionWishOf(output: string | undefined): ExtensionWish | undefined {
  if (output === undefined || output.endsWith('/')) return undefined;
  const template = parseTemplate(output);
  const extension = template === undefined ? extname(output).slice(1).toLowerCase() : template.extension;
  for (const kind of ['audio', 'image', 'video'] as const) {
    const known: readonly string[] = mediaExtensions[kind];
    if (extension === undefined || !known.includes(extension)) continue;
    const audioFormat = audioExtensions.find((format) => format === extension);
    return { kind, extension, ...(audioFormat === undefined ? {} : { audioFormat }) };
  }
  return undefined;
}

/**
 * Checks that a file has the extension that its name promises.
 *
 * @throws CommandError with the name to use.
 */
export function checkExtension(wish: ExtensionWish | undefined, path: string, actual: string): void {
  if (wish === undefined || normal(wish.extension) === normal(actual)) return;
  const name = `${path.slice(0, path.length - wish.extension.length)}${actual}`;
  throw new CommandError(
    `This file would be ${actual.toUpperCase()}, not ${wish.extension.toUpperCase()}. Use --output ${name}, or select ` +
      'another quality from --list.',
  );
}

function normal(extension: string): string {
  return extension === 'jpeg' ? 'jpg' : extension;
}
