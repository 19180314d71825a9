/** Returns the calendar month of a time (UTC), such as 2026-11. */
export function monthOf(now: Date): string {
  return `${now.getUTCFullYear()}-${String(now.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** Returns the start of the next calendar month (UTC). */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
}

/** Returns the seconds until the next calendar month (UTC). */
export function secondsLeftInMonth(now: Date): number {
  return Math.ceil((nextMonth(now).getTime() - now.getTime()) / 1000);
}
