import { UsageError } from '../errors/command-errors.ts';
import type { Option, Options } from './command.ts';

/** Another name of an option: the one that users of yt-dlp know. */
export interface Alias {
  /** The option that it stands for. */
  readonly option: string;
  /** The value that it sets; an alias with a value takes none. */
  readonly value?: string | true;
  /** Converts its value. Throws UsageError for one without an equivalent. */
  convert?(value: string): string;
}

/**
 * The aliases of all commands, by name. A command has those whose option it has. No option of a command may have the
 * name of an alias.
 */
export const aliases: Readonly<Record<string, Alias>> = {
  format: { option: 'quality' },
  'list-formats': { option: 'list', value: true },
  'extract-audio': { option: 'audio', value: '' },
  'audio-format': { option: 'audio', convert: audioFormatOf },
  'audio-quality': { option: 'audio-bitrate', convert: bitrateOf },
  'download-sections': { option: 'clip', convert: clipOf },
  subs: { option: 'subtitles' },
  'sub-langs': { option: 'subtitles', convert: languagesOf },
  'write-subs': { option: 'write-subtitles', value: 'srt' },
  'sub-format': { option: 'write-subtitles', convert: subtitleFormatOf },
  'embed-thumbnail': { option: 'embed-cover', value: true },
  'write-thumbnail': { option: 'write-cover', value: true },
  'playlist-items': { option: 'items' },
  'download-archive': { option: 'archive' },
  simulate: { option: 'dry-run', value: true },
  'abort-on-error': { option: 'fail-fast', value: true },
  'force-overwrites': { option: 'force', value: true },
  'no-config': { option: 'ignore-config', value: true },
};

/** Returns the aliases of a command's options, by name. */
export function aliasesOf(options: Options): Readonly<Record<string, Alias>> {
  return Object.fromEntries(Object.entries(aliases).filter(([, { option }]) => Object.hasOwn(options, option)));
}

/** Returns the type of an alias's value. */
export function typeOfAlias({ option, value }: Alias, options: Options): Option['type'] {
  return value === undefined ? (options[option]?.type ?? 'string') : 'boolean';
}

function audioFormatOf(text: string): string {
  if (text === 'best') return 'original';
  return text === 'aac' ? 'm4a' : text;
}

/** `192K` is a bit rate. `0` to `10`, the quality levels of encoders, are not. */
function bitrateOf(text: string): string {
  const [, digits] = /^(\d{2,3})k?$/i.exec(text) ?? [];
  if (digits !== undefined && Number(digits) > 10) return digits;
  throw new UsageError(`--audio-quality must be a bit rate such as 192K, not ${text}.`);
}

/** `*1:30-2:00` is a part of the media. Names of chapters have no equivalent. */
function clipOf(text: string): string {
  if (/^\*[\d:.]{0,20}-(?:[\d:.]{0,20}|inf)$/.test(text)) return text.slice(1).replace(/inf$/, '');
  throw new UsageError(`--download-sections must be one part, such as "*1:30-2:00", not ${text}.`);
}

/** `en.*,de` selects languages with their variants, which Millrace finds without a pattern. */
function languagesOf(text: string): string {
  if (!/\ball\b/.test(text)) return text.replaceAll('.*', '');
  throw new UsageError('--sub-langs must list languages, such as en,de. Use "--embed subtitles" for all of them.');
}

/** `srt/best` is a list of formats. The first one that Millrace has is used. */
function subtitleFormatOf(text: string): string {
  return text.split('/').find((format) => ['srt', 'vtt', 'txt'].includes(format)) ?? 'srt';
}
