import { parseArgs } from 'node:util';
import { type Point, schedulePoints, scheduleShort } from './schedule.ts';

const usage = `Usage: npm run chaos -- [--seed N] [--points 100] [--short] [--only 17,42] [--out folder]
  --short  four points that say most, in about two minutes
  --only   these points of the seed alone
  --out    folder for report.json and the logs of points that went wrong; default data/chaos`;

/** The options of a run. */
export interface Options {
  readonly seed: number;
  readonly short: boolean;
  readonly points: readonly Point[];
  readonly out: string;
}

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line.
 *
 * @throws UsageError with how it is used.
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
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${text} is no whole number from 1 on`);
  return Number(text);
}
