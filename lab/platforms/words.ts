/** Formats a short count as in English: 912, 1.2K, 23M. */
export function shortCount(count: number): string {
  const [factor, unit] = count >= 1e9 ? [1e9, 'B'] : count >= 1e6 ? [1e6, 'M'] : count >= 1e3 ? [1e3, 'K'] : [1, ''];
  const value = count / factor;
  return `${value < 10 && factor > 1 ? Math.floor(value * 10) / 10 : Math.floor(value)}${unit}`;
}

/** Formats a whole count: 12,916. */
export function longCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a short count with its unit: 1.2K views, or `1 view`. */
export function countWords(count: number, word: string): string {
  if (count === 0) return `No ${word}s`;
  return `${shortCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Formats a duration: 4:07, 1:02:03. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (value: number) => `${value}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats an age in days: 3 hours ago, 2 weeks ago. */
export function ago(days: number): string {
  const [value, unit] =
    days >= 365
      ? [days / 365, 'year']
      : days >= 30
        ? [days / 30, 'month']
        : days >= 7
          ? [days / 7, 'week']
          : days >= 1
            ? [days, 'day']
            : [3, 'hour'];
  const whole = Math.floor(value);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}
