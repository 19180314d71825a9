import { videoCodecs } from '../../contract/encoding.ts';
import { parseSize } from '../command-line/parse-size.ts';
import { UsageError } from '../errors/command-errors.ts';
import { videoCodecNamed } from './codec-names.ts';
import type { Comparison, Condition, QualitySelector, VideoWish } from './selector.ts';

/** The words of yt-dlp's format expressions that have an equivalent. */
const words = {
  video: {
    best: ['b', 'best', 'bv*', 'bestvideo*', 'mp4'],
    worst: ['w', 'worst', 'wv*', 'worstvideo*'],
  },
  silentVideo: { best: ['bv', 'bestvideo'], worst: ['wv', 'worstvideo'] },
  audio: {
    best: ['ba', 'bestaudio', 'ba*', 'bestaudio*', 'm4a', 'mp3', 'opus', 'flac', 'wav'],
    worst: ['wa', 'worstaudio', 'wa*', 'worstaudio*'],
  },
} as const;

type Kind = keyof typeof words;

/** Words that only yt-dlp has. `best` and `worst` mean the same here, and any other word can be a label. */
const expressionWords: ReadonlySet<string> = new Set(
  Object.values(words)
    .flatMap(({ best, worst }) => [...best, ...worst])
    .filter((word) => word !== 'best' && word !== 'worst'),
);

/** What to use instead of the fields of yt-dlp that have no equivalent here. */
const otherFields: Readonly<Record<string, string>> = {
  width: 'Use height instead.',
  language: 'Use --audio-language instead.',
  format_id: 'Use a quality from --list instead.',
  format_note: 'Use a quality from --list instead.',
  tbr: 'Use filesize or height instead.',
  vbr: 'Use filesize or height instead.',
  abr: 'Use --audio-bitrate instead.',
  asr: 'Leave it out.',
  protocol: 'Leave it out: Millrace downloads every protocol.',
};

const audioFormats = ['m4a', 'mp3', 'opus', 'flac', 'wav'] as const;
type AudioFormat = (typeof audioFormats)[number];

/** A video or audio selection between `/` and `+`. */
interface Part {
  readonly kind: Kind;
  readonly order: 'best' | 'worst';
  readonly conditions: readonly Condition[];
  /** The format of audio, if one is required. */
  readonly format?: AudioFormat;
}

/** Whether a quality is an expression in the syntax of yt-dlp. */
export function isExpression(text: string): boolean {
  return /[[\]+/()*]/.test(text) || expressionWords.has(text.toLowerCase());
}

/**
 * Parses a format expression of yt-dlp. Millrace joins audio with every video, so `bv*+ba/b` and `b` mean the same.
 *
 * @throws UsageError with the equivalent, for expressions that cannot be honoured.
 */
export function parseExpression(text: string): QualitySelector {
  if (/[()]/.test(text)) throw refusal(text, 'Write the alternatives without parentheses.');
  if (/,(?![^[\]]*\])/.test(text)) throw refusal(text, 'Run one command for each file.');
  const alternatives = text.split('/').map((alternative) => alternative.split('+').map((part) => readPart(part, text)));
  const [first = []] = alternatives;
  const [audio, ...others] = first;
  if (audio?.kind === 'audio') {
    if (others.length > 0) throw refusal(text, 'Put the video before the audio, as in bv*+ba.');
    if (audio.order === 'worst') throw refusal(text, 'Use --audio mp3 --audio-bitrate 64 for small audio files.');
    // Audio is also taken out of videos, so the alternatives of an expression for audio are never needed.
    return { kind: 'audio', ...(audio.format === undefined ? {} : { format: audio.format }) };
  }
  return { kind: 'video', wishes: alternatives.map((parts) => readWish(parts, text)) };
}

function readWish([video, audio, ...more]: readonly Part[], text: string): VideoWish {
  if (video === undefined || video.kind === 'audio') {
    throw refusal(text, 'Use --quality audio, or an expression that starts with audio, for audio files.');
  }
  if (more.length > 0 || (audio !== undefined && audio.kind !== 'audio')) {
    throw refusal(text, 'Use one video and its audio; --audio-language adds more audio tracks.');
  }
  if (audio?.format !== undefined && audio.format !== 'm4a') {
    throw refusal(text, 'Leave the format of the audio out: videos keep the audio that plays everywhere.');
  }
  if (video.kind === 'silentVideo' && audio === undefined) {
    const equivalent = video.conditions.length === 0 || text.includes('/') ? video.order : `'${text}+ba'`;
    throw refusal(text, `Use --quality ${equivalent}: Millrace adds the audio to every video.`);
  }
  return { order: video.order, conditions: video.conditions };
}

function readPart(part: string, text: string): Part {
  const [, word = '', filters = ''] = /^([^[\]]{0,30})((?:\[[^[\]]{1,60}\]){0,10})$/.exec(part.trim()) ?? [];
  if (word === '' && filters === '') throw refusal(text, 'Use conditions such as <=720p,h264 instead.');
  const { kind, order } = readWord(word === '' ? 'b' : word.trim().toLowerCase(), text);
  const named = audioFormats.find((format) => format === word.toLowerCase());
  const texts = filters === '' ? [] : filters.slice(1, -1).split('][');
  const read = texts.map((filter) => readFilter(filter, kind, text));
  const format = read.map((one) => one.format).find((one) => one !== undefined) ?? named;
  return {
    kind,
    order,
    conditions: read.flatMap(({ conditions = [] }) => conditions),
    ...(format === undefined ? {} : { format }),
  };
}

function readWord(word: string, text: string): Pick<Part, 'kind' | 'order'> {
  for (const kind of Object.keys(words) as Kind[]) {
    for (const order of ['best', 'worst'] as const) {
      const known: readonly string[] = words[kind][order];
      if (known.includes(word)) return { kind, order };
    }
  }
  if (/^\d+$/.test(word)) throw refusal(text, 'Use a quality from --list instead of a format number, such as 720p.');
  throw refusal(text, 'Use conditions such as <=720p,h264 instead.');
}

/** A filter in brackets. */
function readFilter(
  filter: string,
  kind: Kind,
  text: string,
): { readonly conditions?: readonly Condition[]; readonly format?: AudioFormat } {
  const parsed = /^ ?([a-z_]{1,30}) ?(!?[*^$~]?=|[<>]=?) ?(\??) ?["']?([^"']{1,40})["']?$/.exec(filter);
  if (parsed === null) throw refusal(text, `Write [${filter}] as a comparison, such as [height<=720].`);
  const [, field = '', operator = '', optional = '', value = ''] = parsed;
  const { hint, ...read } =
    kind === 'audio' ? audioFilter(field, operator, value) : videoFilter(field, operator, value);
  if (hint !== undefined) throw refusal(text, `[${filter}] has no equivalent. ${hint}`);
  if (optional === '' || read.conditions === undefined) return read;
  return {
    ...read,
    conditions: read.conditions.map((one) => ('comparison' in one ? { ...one, unknownPasses: true } : one)),
  };
}

interface ReadFilter {
  readonly conditions?: readonly Condition[];
  readonly format?: AudioFormat;
  /** What to do instead, if the filter cannot be honoured. */
  readonly hint?: string;
}

function videoFilter(field: string, operator: string, value: string): ReadFilter {
  const isComparison = /^(?:[<>]=?|=)$/.test(operator);
  const comparison = operator as Comparison;
  if ((field === 'height' || field === 'fps') && isComparison && /^\d{1,5}$/.test(value)) {
    return {
      conditions: [{ property: field === 'fps' ? 'fps' : 'resolution', comparison, value: Number(value) }],
    };
  }
  if ((field === 'filesize' || field === 'filesize_approx') && isComparison) {
    return { conditions: [{ property: 'bytes', comparison, value: parseSize('quality', value) }] };
  }
  if (field === 'vcodec') return codecFilter(operator, value);
  if (field === 'acodec' && operator === '!=' && value === 'none') return {};
  if (field === 'ext')
    return value === 'mp4' && operator === '=' ? {} : { hint: 'Videos are MP4 files; leave it out.' };
  if (field === 'dynamic_range' && (operator === '=' || operator === '^=')) {
    return { conditions: [{ property: 'hdr', value: value.toUpperCase() !== 'SDR' }] };
  }
  return { hint: hintFor(field) };
}

function codecFilter(operator: string, value: string): ReadFilter {
  const isNegated = operator.startsWith('!');
  if (value === 'none' && isNegated) return {};
  const codec = /^!?[*^]?=$/.test(operator) ? videoCodecNamed(value) : undefined;
  if (codec === undefined) return { hint: `Use one of ${videoCodecs.join(', ')} instead.` };
  return {
    conditions: [{ property: 'codec', oneOf: isNegated ? videoCodecs.filter((other) => other !== codec) : [codec] }],
  };
}

function audioFilter(field: string, operator: string, value: string): ReadFilter {
  if (operator === '!=' && value === 'none') return {};
  const isEqual = operator === '=' || operator === '^=' || operator === '*=';
  const format = audioFormats.find((known) => known === value);
  if (field === 'ext' && isEqual && format !== undefined) return { format };
  if (field === 'ext') return { hint: 'Use --audio opus instead.' };
  if (field === 'acodec' && isEqual && /^(?:mp4a|aac)/.test(value)) return { format: 'm4a' };
  if (field === 'acodec' && isEqual && format !== undefined) return { format };
  return { hint: hintFor(field) };
}

function hintFor(field: string): string {
  const hint = Object.hasOwn(otherFields, field) ? otherFields[field] : undefined;
  return hint ?? 'Use height, fps, vcodec, filesize or dynamic_range instead.';
}

function refusal(text: string, advice: string): UsageError {
  return new UsageError(`The expression ${text} cannot be used. ${advice}`);
}
