import type { ListItem } from '../../contract/metadata.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import { clockTime } from '../terminal/time-text.ts';

/** Formats an item of a list as one line, whatever its kind: ID, kind, length, title and author. */
export function itemLine(item: ListItem): string {
  const owner = nameOf(item.author) ?? nameOf(item.channel) ?? textOf(item.channelTitle);
  const length = lengthOf(item);
  const title = textOf(item.title) ?? textOf(item.name) ?? textOf(item.text) ?? textOf(item.caption) ?? '';
  const parts = [item.id.padEnd(12), item.type.padEnd(8), length.padStart(7), title];
  return sanitiseColumns(`${parts.join('  ')}${owner === undefined ? '' : ` — ${owner}`}`);
}

function lengthOf({ duration, durationText, videoCount }: ListItem): string {
  if (typeof duration === 'number') return clockTime(duration);
  if (typeof durationText === 'string') return durationText;
  return typeof videoCount === 'number' ? `${videoCount}` : '';
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, title, handle } = value as Readonly<Record<string, unknown>>;
  return textOf(name) ?? textOf(title) ?? textOf(handle);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sanitises a line, but keeps the runs of spaces that separate its columns. */
function sanitiseColumns(line: string): string {
  return line
    .split(/( {2,})/)
    .map((part) => (/^ +$/.test(part) ? part : sanitiseLine(part)))
    .join('')
    .trimEnd();
}
