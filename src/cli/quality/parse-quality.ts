import { parseSize } from '../command-line/parse-size.ts';
import { UsageError } from '../errors/command-errors.ts';
import { videoCodecNamed } from './codec-names.ts';
import { isExpression, parseExpression } from './expression.ts';
import type { Comparison, Condition, QualitySelector } from './selector.ts';

/** Maximum number of characters of a selector. */
const MAX_TEXT = 300;

/** Resolutions with names. */
const namedResolutions: Readonly<Record<string, number>> = { '4k': 2160, '8k': 4320 };

/**
 * Parses the value of `--quality`: `best`, `worst`, `audio`, `image`, a label, conditions separated by commas
 * (`<=720p,h264`), or one of the common yt-dlp expressions (`bv*[height<=720]+ba/b`).
 *
 * @throws UsageError with the equivalent, if there is one.
 */
export function parseQuality(text: string): QualitySelector {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_TEXT) throw new UsageError('--quality must be a quality such as 720p.');
  if (isExpression(trimmed)) return parseExpression(trimmed);
  const words = trimmed
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const [only = ''] = words;
  if (words.length === 1) return parseSingle(only);
  return { kind: 'video', wishes: [{ order: orderOf(words), conditions: words.flatMap(parseMember) }] };
}

/**
 * Checks that an argument is not a quality: `-f` selects the quality in yt-dlp, but means `--force` here.
 *
 * @throws UsageError with the option to use.
 */
export function checkForceArgument(text: string): void {
  if (!looksLikeQuality(text)) return;
  throw new UsageError(`-f means --force, and "${text}" is not a link. To select a quality, use --quality '${text}'.`);
}

function looksLikeQuality(text: string): boolean {
  if (/^\d{2,3}(?:\+\d{2,3})?$|^\d{3,4}p\d{0,2}$/.test(text)) return true;
  try {
    return parseQuality(text).kind !== 'label';
  } catch {
    // Neither a quality nor an expression.
    return false;
  }
}

function parseSingle(word: string): QualitySelector {
  const name = word.toLowerCase();
  if (name === 'audio' || name === 'image') return { kind: name };
  if (isOrder(name)) return { kind: 'video', wishes: [{ order: name, conditions: [] }] };
  // A resolution alone is a label: the service finds it in every spelling of the platform.
  if (/^\d/.test(name) && !name.endsWith('fps') && namedResolutions[name] === undefined) {
    return { kind: 'label', label: word };
  }
  const conditions = conditionsOf(word);
  if (conditions === undefined) return { kind: 'label', label: word };
  return { kind: 'video', wishes: [{ order: 'best', conditions }] };
}

function orderOf(words: readonly string[]): 'best' | 'worst' {
  const orders = words.map((word) => word.toLowerCase()).filter(isOrder);
  if (new Set(orders).size > 1) throw new UsageError('--quality cannot be best and worst. Leave one of them out.');
  return orders[0] ?? 'best';
}

function isOrder(word: string): word is 'best' | 'worst' {
  return word === 'best' || word === 'worst';
}

function parseMember(word: string): readonly Condition[] {
  if (isOrder(word.toLowerCase())) return [];
  const conditions = conditionsOf(word);
  if (conditions !== undefined) return conditions;
  throw new UsageError(
    `--quality: "${word}" cannot be combined with others. Use conditions such as <=720p, h264, 60fps, hdr and <50MB.`,
  );
}

/** Returns the conditions of a word; undefined if it is not a condition. */
function conditionsOf(word: string): readonly Condition[] | undefined {
  const name = word.toLowerCase();
  if (name === 'hdr' || name === 'sdr') return [{ property: 'hdr', value: name === 'hdr' }];
  const codec = videoCodecNamed(name);
  if (codec !== undefined) return [{ property: 'codec', oneOf: [codec] }];
  const [, sign = '=', rest = ''] = /^([<>]=?|=)? ?(.{1,30})$/.exec(name) ?? [];
  const comparison = sign as Comparison;
  const [, rate] = /^(\d{1,3}) ?fps$/.exec(rest) ?? [];
  if (rate !== undefined) return [{ property: 'fps', comparison, value: Number(rate) }];
  const resolution = namedResolutions[rest] ?? /^(\d{3,4})p?$/.exec(rest)?.[1];
  if (resolution !== undefined) return [{ property: 'resolution', comparison, value: Number(resolution) }];
  const [, height, heightRate] = /^(\d{3,4})p(\d{2,3})$/.exec(rest) ?? [];
  if (height !== undefined && comparison === '=') {
    return [
      { property: 'resolution', comparison, value: Number(height) },
      { property: 'fps', comparison, value: Number(heightRate) },
    ];
  }
  const isLimit = comparison === '<' || comparison === '<=';
  const bytes = isLimit && /[kmg]i?b?$/.test(rest) ? parseSize('quality', rest) : undefined;
  return bytes === undefined ? undefined : [{ property: 'bytes', comparison, value: bytes }];
}
