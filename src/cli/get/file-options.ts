import type { EndpointEntry } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { audioBitrates } from '../../contract/encoding.ts';
import { jobLimits } from '../../contract/job.ts';
import { parseClip } from '../../contract/parse-clip.ts';
import { type AudioFormat, audioFormats, type EmbeddedPart, embeddedParts } from '../../contract/render-parameters.ts';
import { sizeText } from '../../contract/size-text.ts';
import type { Options, ValuesOf } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { parseSize } from '../command-line/parse-size.ts';
import { UsageError } from '../errors/command-errors.ts';
import { type ExtensionWish, extensionWishOf } from '../naming/extension-wish.ts';
import { parseQuality } from '../quality/parse-quality.ts';
import { type QualitySelector, simpleQuality, type VideoWish } from '../quality/selector.ts';

/** What video files contain by default, and audio files in addition. */
const defaultEmbed = { video: ['metadata', 'chapters'], audio: ['metadata', 'chapters', 'cover'] } as const;

/** The audio formats whose bit rate and size can be chosen. */
const encodedAudioFormats = ['mp3', 'm4a', 'opus'] as const satisfies readonly AudioFormat[];
const listedFormats = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(encodedAudioFormats);

/** The options that shape the file of `millrace get`. */
export const fileOptions = {
  audio: {
    type: 'string',
    short: 'x',
    value: '[format]',
    bareValue: 'original',
    values: audioFormats,
    description: 'Audio only, as mp3, m4a, opus, flac, wav, or original (default; not converted).',
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
  'embed-metadata': { type: 'boolean', description: 'Write title, author, date and link into the file.' },
  'embed-chapters': { type: 'boolean', description: 'Write the chapters into the file.' },
  'embed-cover': { type: 'boolean', description: 'Write the cover image into the file.' },
  'embed-subs': { type: 'boolean', description: 'Write the subtitles into the video: all, or those of --subtitles.' },
  'no-embed': { type: 'boolean', description: 'Write nothing into the file but what other options add.' },
  subtitles: { type: 'string', value: '<codes>', description: 'Add subtitles in these languages, such as en,de.' },
  'max-size': { type: 'string', value: '<size>', description: 'Convert to fit into this size, such as 8MB.' },
  slideshow: { type: 'boolean', description: 'Make a video from the images of a post and its music.' },
} as const satisfies Options;

/** The shape of a file, as the options describe it. */
export interface FileShape {
  /** `slideshow`, `best`, `worst`, `audio`, `image`, a label, or the text of `wishes`; undefined for the default. */
  readonly quality: string | undefined;
  /** The videos to select, if the quality has conditions. */
  readonly wishes?: readonly VideoWish[];
  /** What the extension of the file's name requests. */
  readonly extension: ExtensionWish | undefined;
  /** The format of an audio file; absent for other files. */
  readonly audioFormat?: string;
  /** The parameters of the extraction API, by name, each with the option that it comes from. */
  readonly parameters: Readonly<Record<string, { readonly value: string; readonly option: string }>>;
}

type FileValues = ValuesOf<typeof fileOptions> & {
  readonly quality?: string | undefined;
  readonly output?: string | undefined;
};

/** The options that embed one part. */
const embedFlags = {
  metadata: 'embed-metadata',
  chapters: 'embed-chapters',
  cover: 'embed-cover',
  subtitles: 'embed-subs',
} as const satisfies Record<EmbeddedPart, keyof typeof fileOptions>;

/**
 * Reads the options that shape a file.
 *
 * @throws UsageError
 */
export function readFileShape(given: FileValues, writesSubtitles: boolean): FileShape {
  const selector = given.quality === undefined ? undefined : parseQuality(given.quality);
  const extension = extensionWishOf(given.output);
  const values = { ...given, ...qualityAndAudioOf(given, selector, extension) };
  checkCombination(values);
  const bitrate = readBitrate(values['audio-bitrate']);
  const maxSize = readMaxSize(values['max-size']);
  const subtitles = readLanguages('subtitles', values.subtitles);
  const languages = readLanguages('audio-language', values['audio-language']);
  const clip = readClip(values.clip);
  const isProcessed = [bitrate, maxSize, languages, clip, embedTextOf(values, true)].some(
    (value) => value !== undefined,
  );
  const audioFormat = values.audio ?? (values.quality === 'audio' && isProcessed ? 'original' : undefined);
  const embedText = embedTextOf(values, audioFormat !== undefined);
  checkAudioFormat({ ...values, embed: embedText }, audioFormat, writesSubtitles);
  const embed = embedOf({ ...values, embed: embedText }, audioFormat !== undefined, writesSubtitles);
  const parameters = {
    renderableAudios: { value: audioFormat, option: 'audio' },
    renderableAudioBitrate: { value: bitrate, option: 'audio-bitrate' },
    audioLanguage: { value: languages, option: 'audio-language' },
    clip: { value: clip, option: 'clip' },
    embed: { value: embed, option: 'embed' },
    subtitleLanguages: { value: embed?.includes('subtitles') === true ? subtitles : undefined, option: 'subtitles' },
    maxSize: { value: maxSize, option: 'max-size' },
  };
  const wishes = selector?.kind === 'video' && simpleQuality(selector) === undefined ? selector.wishes : undefined;
  if (maxSize !== undefined && wishes?.some(hasCodec) === true) {
    throw new UsageError('A codec in --quality cannot be combined with --max-size, which can encode the video.');
  }
  return {
    quality: values.slideshow === true ? 'slideshow' : audioFormat === undefined ? values.quality : 'audio',
    ...(wishes === undefined ? {} : { wishes }),
    extension,
    ...(audioFormat === undefined ? {} : { audioFormat }),
    parameters: Object.fromEntries(
      Object.entries(parameters).flatMap(([name, { value, option }]) =>
        value === undefined ? [] : [[name, { value, option }]],
      ),
    ),
  };
}

function hasCodec({ conditions }: VideoWish): boolean {
  return conditions.some(({ property }) => property === 'codec');
}

/**
 * Returns the quality without conditions that a selector means, and the audio format of the selector or of the file's
 * name.
 *
 * @throws UsageError if the file's name requests another kind of file.
 */
function qualityAndAudioOf(
  { quality, audio, output, slideshow }: FileValues,
  selector: QualitySelector | undefined,
  wish: ExtensionWish | undefined,
): Pick<FileValues, 'quality' | 'audio'> {
  const simple = selector === undefined ? undefined : (simpleQuality(selector) ?? quality);
  const selected = { quality: simple, audio: audio ?? (selector?.kind === 'audio' ? selector.format : undefined) };
  if (wish === undefined || slideshow === true) return selected;
  if (wish.kind === 'image')
    return { ...selected, quality: simple ?? (selected.audio === undefined ? 'image' : undefined) };
  if (wish.kind === 'video') return selected;
  if (selected.audio !== undefined && selected.audio !== 'original') {
    if (selected.audio === wish.extension) return selected;
    throw new UsageError(`--audio ${selected.audio} does not make the file ${output}. Change the name or the format.`);
  }
  if (simple !== undefined && simple !== 'audio') {
    throw new UsageError(
      `${output} is an audio file, which has no quality ${quality}. Change the name or the quality.`,
    );
  }
  if (wish.audioFormat === undefined) {
    const formats = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(audioFormats.slice(0, -1));
    throw new UsageError(`Millrace does not make .${wish.extension} files. Use a name that ends with ${formats}.`);
  }
  return { quality: 'audio', audio: wish.audioFormat };
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

function readClip(text: string | undefined): string | undefined {
  const clip = text === undefined ? undefined : parseClip(text);
  if (typeof clip === 'string') throw new UsageError(`--clip ${text} ${clip}.`);
  return text;
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

/** Returns the value of `--embed` to which the other options about embedding amount; undefined if there are none. */
function embedTextOf(values: FileValues, isAudio: boolean): string | undefined {
  const added = embeddedParts.filter((part) => values[embedFlags[part]] === true);
  const { embed, 'no-embed': embedsNothing = false } = values;
  if (embedsNothing && embed !== undefined) {
    throw new UsageError('--no-embed cannot be combined with --embed. Leave one of them out.');
  }
  if (added.length === 0) return embedsNothing ? 'none' : embed;
  const listed = embed === undefined ? defaultEmbed[isAudio ? 'audio' : 'video'] : readEmbed(embed);
  return [...new Set<string>([...(embedsNothing ? [] : listed), ...added])].join(',');
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
