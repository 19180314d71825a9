/** Formats seconds as players do: `4:05`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** Formats milliseconds as subtitles do: `00:01:02,345`, with `separator` before the milliseconds. */
export function cueTime(milliseconds: number, separator: ',' | '.'): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}`;
  return `${seconds}${separator}${String(whole % 1000).padStart(3, '0')}`;
}
