import type { CreditReport } from './credits.ts';
import type { PointResult } from './run-point.ts';
import { stages } from './stages.ts';
import type { StoreKind } from './store-folder.ts';

/** Results of a run. */
export interface Report {
  readonly seed: number;
  readonly short: boolean;
  /** Seconds. */
  readonly took: number;
  /** Number of scheduled points. Points without a result were not reached in time. */
  readonly planned: number;
  readonly results: readonly PointResult[];
  readonly credits: Readonly<Partial<Record<StoreKind, CreditReport>>>;
}

/** Returns all violations. Those of a point contain the command that repeats it. */
export function violationsOf({ seed, short, results, credits }: Report): string[] {
  const form = short ? ' --short' : '';
  return [
    ...results.flatMap(({ point: { number, fault, stage, store }, violations }) =>
      violations.map(
        (violation) =>
          `${fault} at ${stage} on ${store}: ${violation} [npm run chaos -- --seed ${seed}${form} --only ${number}]`,
      ),
    ),
    ...Object.entries(credits).flatMap(([store, { violations }]) =>
      violations.map((text) => `credits, ${store}: ${text}`),
    ),
  ];
}

/** Returns the report as Markdown. */
export function describeRun(report: Report): string {
  const { seed, took, planned, results, credits } = report;
  const violations = violationsOf(report);
  const reasons = Map.groupBy(
    results.flatMap(({ failed }) => failed),
    (reason) => reason,
  );
  return [
    `${results.length} of ${planned} points of seed ${seed} in ${(took / 60).toFixed(1)} minutes: ` +
      `${violations.length} violations`,
    '',
    faultTable(results),
    '',
    stageTable(results),
    '',
    ...Object.entries(credits).map(
      ([store, { charged, unanswered, refused, ledger }]) =>
        `Credits (${store}): responses reported ${charged}, the ledger has ${ledger}; ${unanswered} requests without a ` +
        `response, ${refused} refused.`,
    ),
    '',
    ...[...reasons].map(([reason, { length }]) => `Failed ${length} times: ${reason}`),
    ...violations.map((violation) => `VIOLATION: ${violation}`),
  ].join('\n');
}

/** Returns a table with one row for each fault. */
function faultTable(results: readonly PointResult[]): string {
  const rows = [...Map.groupBy(results, ({ point }) => point.fault)].map(([fault, points]) => [
    fault,
    points.length,
    sum(points, ({ done }) => done),
    sum(points, ({ failed }) => failed.length),
    `${median(points.map(({ recovery }) => recovery)).toFixed(0)} s`,
    `${Math.max(...points.map(({ recovery }) => recovery)).toFixed(0)} s`,
    Math.max(...points.map(({ bytes }) => bytes)).toFixed(2),
    sum(points, ({ orphans }) => orphans),
    sum(points, ({ violations }) => violations.length),
  ]);
  const head = [
    'Fault',
    'Points',
    'Jobs done',
    'failed',
    'Recovery, median',
    'worst',
    'Bytes, worst',
    'Orphans',
    'Violations',
  ];
  return table([head, ...rows.toSorted(([one], [other]) => String(one).localeCompare(String(other)))]);
}

/**
 * Returns a table of the number of points by fault and stage. Numbers in brackets are points whose stage was missed.
 */
function stageTable(results: readonly PointResult[]): string {
  const names = Object.keys(stages);
  const rows = [...Map.groupBy(results, ({ point }) => point.fault)].map(([fault, points]) => [
    fault,
    ...names.map((stage) => {
      const here = points.filter(({ point }) => point.stage === stage);
      const missedCount = here.filter(({ reached }) => !reached).length;
      return here.length === 0 ? '' : `${here.length}${missedCount === 0 ? '' : ` (${missedCount})`}`;
    }),
  ]);
  return table([['Fault', ...names], ...rows.toSorted(([one], [other]) => String(one).localeCompare(String(other)))]);
}

function table([head = [], ...rows]: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function sum(points: readonly PointResult[], count: (point: PointResult) => number): number {
  return points.reduce((total, point) => total + count(point), 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
