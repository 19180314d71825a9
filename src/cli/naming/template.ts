import { firstGraphemes } from '../../files/graphemes.ts';
import { safeName } from '../../files/safe-name.ts';
import { UsageError } from '../errors/command-errors.ts';

/** Maximum bytes of a name in a path. File systems allow 255, and names of partial files are longer. */
const MAX_NAME_BYTES = 220;

/** Bytes that every value keeps, however many there are in a name. */
const MIN_VALUE_BYTES = 8;

/** What a template writes for a field without a value, as yt-dlp does. */
const missingValue = 'NA';

/** The fields of a template, with the names that yt-dlp gives them. */
const fieldNames = {
  title: ['title', 'fulltitle'],
  id: ['id', 'display_id'],
  author: ['uploader', 'channel', 'creator', 'uploader_id'],
  date: ['upload_date', 'release_date'],
  index: ['playlist_index', 'autonumber'],
  quality: ['format_note', 'resolution'],
  height: ['height'],
  ext: ['ext'],
  platform: ['extractor', 'extractor_key'],
  collection: ['playlist', 'playlist_title'],
} as const;

/** A field of a template. */
export type FieldName = keyof typeof fieldNames;

/** The value of each field for a file; absent if it is unknown. */
export type FieldValues = Readonly<Partial<Record<FieldName, string>>>;

/** A name or a path with fields, such as `{author}/{title}.{ext}`. */
export interface Template {
  /** The extension that it ends with, without its dot; undefined if that is a field or missing. */
  readonly extension: string | undefined;
  /** Whether it contains a field. */
  has(field: FieldName): boolean;
  /** Returns the path for a file. A field never creates a folder. */
  pathOf(values: FieldValues): string;
}

type Part = string | Field;

interface Field {
  readonly name: FieldName;
  /** Minimum number of characters; shorter numbers get zeros. */
  readonly digits: number;
  /** Maximum number of characters. */
  readonly maxLength: number;
  readonly fallback: string;
}

/** A field, or an escaped brace or percent sign. */
const fieldPattern = /\{\{|\}\}|%%|\{([^{}/]{0,40})\}|%\(([^()/]{0,60})\)(0?\d{0,2})(?:\.(\d{1,3}))?([sdBS])/g;

/**
 * Parses the value of `--output`. Fields are `{title}` or, as for yt-dlp, `%(title)s`; `{{`, `}}` and `%%` write a brace
 * or a percent sign. A template without an extension gets that of the file. Returns undefined for a path without fields.
 *
 * @throws UsageError for an unknown field, with the known ones.
 */
export function parseTemplate(text: string): Template | undefined {
  if (!/\{[^{}/]{0,40}\}|%\(/.test(text)) return undefined;
  const complete = text.endsWith('/') ? `${text}{title}.{ext}` : text;
  const parts = readParts(complete);
  const hasField = (name: FieldName) => parts.some((part) => typeof part === 'object' && part.name === name);
  const last = parts.at(-1) ?? '';
  const extension = typeof last === 'string' ? /\.([A-Za-z0-9]{1,5})$/.exec(last)?.[1] : undefined;
  if (extension === undefined && !hasField('ext')) parts.push('.', fieldOf('ext'));
  const segments = splitFolders(parts);
  return {
    extension: extension?.toLowerCase(),
    has: hasField,
    pathOf: (values) => segments.map((segment) => nameOf(segment, values)).join('/'),
  };
}

function readParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(fieldPattern)) {
    const [whole, braced, named, padding = '', maxLength, kind] = match;
    parts.push(checkedLiteral(text.slice(end, match.index)));
    end = match.index + whole.length;
    if (braced !== undefined) parts.push(bracedField(braced));
    else if (named === undefined) parts.push(whole.slice(1));
    else {
      const [name = '', fallback = missingValue] = named.split('|');
      const digits = kind === 'd' || padding.startsWith('0') ? Number(padding) : 0;
      parts.push({ ...fieldOf(name), digits, maxLength: Number(maxLength ?? Number.POSITIVE_INFINITY), fallback });
    }
  }
  parts.push(checkedLiteral(text.slice(end)));
  return parts.filter((part) => part !== '');
}

/** @throws UsageError if a text contains the beginning of a field that cannot be read. */
function checkedLiteral(text: string): string {
  if (!text.includes('%(')) return text;
  throw new UsageError(`--output: ${text.slice(0, 60)} cannot be read. Write a field as {title} or %(title)s.`);
}

function bracedField(text: string): Field {
  const [, name = text, digits = ''] = /^(\w{1,30}):0?(\d{1,2})$/.exec(text) ?? [];
  return { ...fieldOf(name), digits: Number(digits) };
}

/** @throws UsageError */
function fieldOf(name: string): Field {
  for (const [field, others] of Object.entries(fieldNames)) {
    if (field === name || (others as readonly string[]).includes(name)) {
      // The cast is safe: Object.entries() returns the keys of the table.
      return { name: field as FieldName, digits: 0, maxLength: Number.POSITIVE_INFINITY, fallback: missingValue };
    }
  }
  const fields = Object.keys(fieldNames).map((field) => `{${field}}`);
  throw new UsageError(
    `--output: there is no field "${name}". Use ${fields.join(', ')}; write {{ for a brace that is not a field.`,
  );
}

/** Splits the parts of a path into those of each folder and of the file. */
function splitFolders(parts: readonly Part[]): readonly (readonly Part[])[] {
  const segments: Part[][] = [[]];
  for (const part of parts) {
    if (typeof part === 'object') segments.at(-1)?.push(part);
    else {
      for (const [index, text] of part.split('/').entries()) {
        if (index > 0) segments.push([]);
        if (text !== '') segments.at(-1)?.push(text);
      }
    }
  }
  return segments;
}

/** Returns the name of a folder or file. Long values are shortened, so that all of them and the extension fit. */
function nameOf(segment: readonly Part[], values: FieldValues): string {
  const texts = segment.map((part) => (typeof part === 'string' ? part : textOf(part, values, MAX_NAME_BYTES)));
  const name = texts.join('');
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const long = segment.filter((part) => typeof part === 'object' && part.name !== 'ext');
  const fixed = segment.map((part, at) => (long.includes(part) ? '' : (texts[at] ?? ''))).join('');
  const share = Math.floor((MAX_NAME_BYTES - Buffer.byteLength(fixed)) / Math.max(1, long.length));
  const maxBytes = Math.max(MIN_VALUE_BYTES, share);
  return segment
    .map((part, at) => (typeof part === 'object' ? textOf(part, values, maxBytes) : (texts[at] ?? '')))
    .join('');
}

/** Returns the value of a field as part of a name that is safe for every file system. */
function textOf({ name, digits, maxLength, fallback }: Field, values: FieldValues, maxBytes: number): string {
  const text = safeName(firstGraphemes(values[name] ?? '', maxLength), '', maxBytes);
  return (text === '' ? fallback : text).padStart(digits, '0');
}
