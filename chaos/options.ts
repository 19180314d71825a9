import { parseArgs } from 'node:util';
import { type Point, schedulePoints, scheduleShort } from './schedule.ts';

const usage = `Usage: npm run chaos -- [--seed N] [--points 100] [--short] [--only 17,42] [--out folder]
  --short  run four points that cover the most, in about two minutes
  --only   run only these points of the seed
  --out    folder for report.json and the logs of points with violations; default data/chaos`;

/** The options of a run. */
export interface Options {
  readonly seed: number;
  readonly short: boolean;
  readonly points: readonly Point[];
  readonly out: string;
}

/** Thrown if the command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line.
 *
 * @throws UsageError with the usage as its message.
 */
export function readOptions(parameters: readonly string[]): Options {
  const { seed, points, short, only, out } = parse(parameters);
  const schedule = short ? scheduleShort(seed) : schedulePoints(seed, Math.max(points, ...(only ?? [])));
  const selected = only === undefined ? schedule : schedule.filter(({ number }) => only.includes(number));
  if (selected.length === 0) throw new UsageError(usage);
  return { seed, short, points: selected, out };
}

function parse(parameters: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...parameters],
      options: {
        seed: { type: 'string', default: '1' },
        points: { type: 'string', default: '100' },
        short: { type: 'boolean', default: false },
        only: { type: 'string' },
        out: { type: 'string', default: 'data/chaos' },
      },
    });
    return {
      ...values,
      seed: wholeNumber(values.seed),
      points: wholeNumber(values.points),
      only: values.only?.split(',').map(wholeNumber),
    };
  } catch (error) {
    throw new UsageError(usage, { cause: error });
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${text} is not a whole number greater than zero`);
  return Number(text);
}
