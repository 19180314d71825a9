import type { EndpointEntry } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { audioBitrates } from '../../contract/encoding.ts';
import { jobLimits } from '../../contract/job.ts';
import { type AudioFormat, audioFormats, embeddedParts } from '../../contract/render-parameters.ts';
import { sizeText } from '../../contract/size-text.ts';
import type { Options, ValuesOf } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { parseSize } from '../command-line/parse-size.ts';
import { UsageError } from '../errors/command-errors.ts';

/** What video files contain by default, and audio files in addition. */
const defaultEmbed = { video: ['metadata', 'chapters'], audio: ['metadata', 'chapters', 'cover'] } as const;

/** The audio formats whose bit rate and size can be chosen. */
const encodedAudioFormats = ['mp3', 'm4a', 'opus'] as const satisfies readonly AudioFormat[];
const listedFormats = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(encodedAudioFormats);

/** The options that shape the file of `millrace get`. */
export const fileOptions = {
  audio: {
    type: 'string',
    value: '<format>',
    values: audioFormats,
    description: 'Audio only, as mp3, m4a, opus, flac, wav, or original (not converted).',
  },
  'audio-bitrate': {
    type: 'string',
    value: '<kbit/s>',
    suggestions: ['128', '192', '256', '320'],
    description: 'Bit rate of converted audio, from 32 to 320.',
  },
  'audio-language': {
    type: 'string',
    value: '<codes>',
    description: 'Audio tracks by language; de,en adds both to a video.',
  },
  clip: { type: 'string', value: '<range>', description: 'Only this part: 1:30-2:30, 90-150, 90- or -150.' },
  embed: {
    type: 'string',
    value: '<list>',
    suggestions: [...embeddedParts, 'none'],
    description:
      'What the file contains besides its media: metadata,chapters (default), cover (default with --audio), ' +
      'subtitles, or none.',
  },
  subtitles: { type: 'string', value: '<codes>', description: 'Add subtitles in these languages, such as en,de.' },
  'max-size': { type: 'string', value: '<size>', description: 'Convert to fit into this size, such as 8MB.' },
  slideshow: { type: 'boolean', description: 'Make a video from the images of a post and its music.' },
} as const satisfies Options;

/** The shape of a file, as the options describe it. */
export interface FileShape {
  /** `slideshow`, or the value of `--quality`. */
  readonly quality: string | undefined;
  /** The format of an audio file; absent for other files. */
  readonly audioFormat?: string;
  /** The parameters of the extraction API, by name, each with the option that it comes from. */
  readonly parameters: Readonly<Record<string, { readonly value: string; readonly option: string }>>;
}

type FileValues = ValuesOf<typeof fileOptions> & { readonly quality?: string | undefined };

/**
 * Reads the options that shape a file.
 *
 * @throws UsageError
 */
export function readFileShape(values: FileValues, writesSubtitles: boolean): FileShape {
  checkCombination(values);
  const bitrate = readBitrate(values['audio-bitrate']);
  const maxSize = readMaxSize(values['max-size']);
  const subtitles = readLanguages('subtitles', values.subtitles);
  const languages = readLanguages('audio-language', values['audio-language']);
  const { clip } = values;
  const isProcessed = [bitrate, maxSize, languages, clip, values.embed].some((value) => value !== undefined);
  const audioFormat = values.audio ?? (values.quality === 'audio' && isProcessed ? 'original' : undefined);
  checkAudioFormat(values, audioFormat, writesSubtitles);
  const embed = embedOf(values, audioFormat !== undefined, writesSubtitles);
  const parameters = {
    renderableAudios: { value: audioFormat, option: 'audio' },
    renderableAudioBitrate: { value: bitrate, option: 'audio-bitrate' },
    audioLanguage: { value: languages, option: 'audio-language' },
    clip: { value: clip, option: 'clip' },
    embed: { value: embed, option: 'embed' },
    subtitleLanguages: { value: embed?.includes('subtitles') === true ? subtitles : undefined, option: 'subtitles' },
    maxSize: { value: maxSize, option: 'max-size' },
  };
  return {
    quality: values.slideshow === true ? 'slideshow' : audioFormat === undefined ? values.quality : 'audio',
    ...(audioFormat === undefined ? {} : { audioFormat }),
    parameters: Object.fromEntries(
      Object.entries(parameters).flatMap(([name, { value, option }]) =>
        value === undefined ? [] : [[name, { value, option }]],
      ),
    ),
  };
}

/**
 * Returns the parameters to send for a link.
 *
 * @throws UsageError if the endpoint of the link does not accept one of them.
 */
export function parametersFor(
  { platform, endpoint }: RecognisedLink,
  { parameters }: FileShape,
  table: Readonly<Record<string, Readonly<Record<string, EndpointEntry>>>> = endpoints,
): Readonly<Record<string, string>> {
  const accepted = table[platform]?.[endpoint]?.optional ?? {};
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { value, option }]) => {
      if (Object.hasOwn(accepted, name)) return [[name, value]];
      throw new UsageError(`--${option} cannot be used with this link. Leave it out.`);
    }),
  );
}

function checkCombination(values: FileValues): void {
  const { quality, audio, slideshow } = values;
  const combined = (first: string, second: string) =>
    new UsageError(`--${first} cannot be combined with --${second}. Leave one of them out.`);
  if (audio !== undefined && quality !== undefined && quality !== 'audio') throw combined('audio', 'quality');
  if (slideshow !== true) return;
  if (audio !== undefined) throw combined('slideshow', 'audio');
  if (quality !== undefined) throw combined('slideshow', 'quality');
}

/** Checks that an option of audio can be applied to the format. */
function checkAudioFormat(values: FileValues, format: string | undefined, writesSubtitles: boolean): void {
  const isEncoded = encodedAudioFormats.some((known) => known === format);
  const needsFormat = (option: string) => new UsageError(`--${option} needs --audio ${listedFormats}.`);
  if (values['audio-bitrate'] !== undefined && !isEncoded) throw needsFormat('audio-bitrate');
  if (format === undefined && values.quality !== 'audio') return;
  if (values['max-size'] !== undefined && !isEncoded) throw needsFormat('max-size');
  const isEmbedded = listOf(values.embed).includes('subtitles');
  if (isEmbedded) throw new UsageError('Audio files cannot contain subtitles. Leave them out of --embed.');
  if (values.subtitles !== undefined && !writesSubtitles) {
    throw new UsageError('Audio files cannot contain subtitles. Add --write-subtitles for separate files.');
  }
}

function readBitrate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { min, max } = audioBitrates;
  const bitrate = parseWholeNumber('audio-bitrate', text, min);
  if (bitrate > max) throw new UsageError(`--audio-bitrate must be at most ${max}, not ${text}.`);
  return String(bitrate);
}

function readMaxSize(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { min, max } = jobLimits.maxSize;
  const bytes = parseSize('max-size', text);
  if (bytes < min || bytes > max) {
    throw new UsageError(`--max-size must be from ${sizeText(min)} to ${sizeText(max)}, not ${text}.`);
  }
  return String(bytes);
}

function readLanguages(option: string, text: string | undefined): string | undefined {
  const languages = listOf(text);
  if (languages.length > 0) return languages.join(',');
  if (text === undefined) return undefined;
  throw new UsageError(`--${option} must list languages, such as en,de.`);
}

/** Returns what the file contains besides its media; undefined for the default of the service. */
function embedOf({ embed, subtitles }: FileValues, isAudio: boolean, writesSubtitles: boolean): string | undefined {
  const listed = embed === undefined ? undefined : readEmbed(embed);
  if (listed?.length === 0 && subtitles !== undefined && !writesSubtitles) {
    throw new UsageError('--subtitles cannot be combined with --embed none. Add --write-subtitles for separate files.');
  }
  if (listed?.length === 0) return 'none';
  if (listed === undefined && !isAudio && subtitles === undefined) return undefined;
  const kinds = listed ?? defaultEmbed[isAudio ? 'audio' : 'video'];
  const addsSubtitles = subtitles !== undefined && !isAudio;
  return [...new Set<string>([...kinds, ...(addsSubtitles ? ['subtitles'] : [])])].join(',');
}

function readEmbed(text: string): readonly string[] {
  const kinds = listOf(text);
  if (kinds.length === 1 && kinds[0] === 'none') return [];
  if (kinds.length > 0 && kinds.every((kind) => embeddedParts.some((known) => known === kind))) return kinds;
  throw new UsageError(`--embed must list some of ${embeddedParts.join(', ')}, or be none.`);
}

/** Returns the entries of a list with commas, each once. */
export function listOf(text: string | undefined): readonly string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}
