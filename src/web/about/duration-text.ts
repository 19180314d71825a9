const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Returns a duration in the largest unit of which it is a multiple: "24 hours", "2 days". */
export function durationText(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms >= (unit === 86_400_000 ? 2 * unit : unit) && ms % unit === 0) ?? [
    'millisecond',
    1,
  ];
  const count = ms / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
