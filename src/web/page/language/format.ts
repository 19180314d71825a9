import { languageTag } from './language.ts';

/** Formats numbers and times for people, in the language of the page. */

const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a byte count: `1.4 MB`, in decimal units, of which the smallest is `kB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  const unit = units[power - 1] ?? 'kilobyte';
  const digits = value >= 100 ? 0 : 1;
  const options = { style: 'unit', unit, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(languageTag(), options).format(value);
}

/** Formats a count: `1.2M`. */
export function countText(count: number): string {
  return new Intl.NumberFormat(languageTag(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** Formats a duration as a clock does: `3:07`, `1:02:30`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  if (hours === 0) return `${parts[0]}:${String(parts[1]).padStart(2, '0')}`;
  return [hours, ...parts.map((part) => String(part).padStart(2, '0'))].join(':');
}

/** Formats a time span: `8 sec`, `2 min`, `1 hr 5 min`. */
export function timeText(seconds: number): string {
  if (seconds < 60) return unitText(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unitText(minutes, 'minute');
  const minutesLeft = minutes % 60;
  const hours = unitText(Math.floor(minutes / 60), 'hour');
  return minutesLeft === 0 ? hours : `${hours} ${unitText(minutesLeft, 'minute')}`;
}

/** Formats a date: `Oct 16, 2026`. */
export function dateText(date: Date): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: 'medium' }).format(date);
}

/** Formats a time of day: `1:10 PM`. */
export function clockText(date: Date): string {
  return new Intl.DateTimeFormat(languageTag(), { hour: 'numeric', minute: '2-digit' }).format(date);
}

/** Formats a moment, in the visitor's time zone: `Friday, November 27 at 1:00 PM GMT+1`. */
export function momentText(date: Date): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(languageTag(), { ...parts, timeZoneName: 'short' }).format(date);
}

/** Formats a share from 0 to 1: `42%`. */
export function percentText(share: number): string {
  return new Intl.NumberFormat(languageTag(), { style: 'percent' }).format(share);
}

/** Names a language by its tag, `German` for `de`; the tag itself if it has no name. */
export function languageText(tag: string): string {
  try {
    return new Intl.DisplayNames(languageTag(), { type: 'language' }).of(tag) ?? tag;
  } catch (error) {
    // Platforms also use codes that are not valid tags.
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

/** Joins texts: `a, b and c`. */
export function listText(texts: readonly string[]): string {
  return new Intl.ListFormat(languageTag(), { type: 'conjunction' }).format(texts);
}

/** Capitalises the first letter. */
export function capitalise(text: string): string {
  return text.charAt(0).toLocaleUpperCase(languageTag()) + text.slice(1);
}

function unitText(value: number, unit: 'second' | 'minute' | 'hour'): string {
  return new Intl.NumberFormat(languageTag(), { style: 'unit', unit }).format(value);
}
