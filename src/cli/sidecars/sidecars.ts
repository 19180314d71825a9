import { format as formatPath, parse as parsePath } from 'node:path';
import type { KnownMetadata } from '../../contract/metadata.ts';
import type { Options } from '../command-line/command.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';
import { nfoText } from './nfo.ts';

/** The options that save files next to each media file. */
export const sidecarOptions = {
  'write-info-json': { type: 'boolean', description: 'Also save the metadata, as name.info.json.' },
  'write-cover': { type: 'boolean', description: 'Also save the cover image, as name.jpg.' },
  nfo: { type: 'boolean', description: 'Also save a description for Kodi, Jellyfin and Emby, as name.nfo.' },
} as const satisfies Options;

/** A file to save next to a media file. */
export interface Sidecar {
  /** What follows the name of the media file: `.info.json`. */
  readonly ending: string;
  /** The content, if it is text. */
  readonly text?: string;
  /** The link of the content, if it is a file. */
  readonly url?: string;
}

/** What the sidecars of a media file describe. */
export interface SidecarContent {
  readonly platform: string;
  readonly id: string;
  readonly title: string;
  readonly quality: string;
  readonly metadata: KnownMetadata;
}

/**
 * Returns the sidecars that the options request. Images have no cover.
 *
 * @param ext Extension of the media file.
 */
export function sidecarsOf(
  values: Readonly<Partial<Record<keyof typeof sidecarOptions, boolean | undefined>>>,
  ext: string,
  content: SidecarContent,
): readonly Sidecar[] {
  const { metadata } = content;
  return [
    ...(values['write-info-json'] === true ? [{ ending: '.info.json', text: `${sanitiseJson(content, 2)}\n` }] : []),
    ...(values['write-cover'] === true && metadata.thumbnailUrl !== undefined && ext !== 'jpg'
      ? [{ ending: '.jpg', url: metadata.thumbnailUrl }]
      : []),
    ...(values.nfo === true ? [{ ending: '.nfo', text: nfoText(content) }] : []),
  ];
}

/** Returns the path of a sidecar: `film.nfo` for `film.mp4`. */
export function sidecarPath(mediaPath: string, { ending }: Sidecar): string {
  const { dir, name } = parsePath(mediaPath);
  return formatPath({ dir, base: `${name}${ending}` });
}
