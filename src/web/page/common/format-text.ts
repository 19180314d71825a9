/** Formats numbers and texts for people. */

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a byte count: `1.4 MB`, in decimal units. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}

/** Formats a count: `1.2M`. */
export function countText(count: number): string {
  return compact.format(count);
}

/** Formats a duration: `3:07`, `1:02:30`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  if (hours === 0) return `${parts[0]}:${String(parts[1]).padStart(2, '0')}`;
  return [hours, ...parts.map((part) => String(part).padStart(2, '0'))].join(':');
}

/** Formats a time span: `8 s`, `2 min`, `1 h 5 min`. */
export function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min`;
  const minutesLeft = minutes % 60;
  return `${Math.floor(minutes / 60)}\u00a0h${minutesLeft === 0 ? '' : `\u00a0${minutesLeft}\u00a0min`}`;
}

/** Capitalises the first letter. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
