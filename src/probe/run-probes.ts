import { sleep } from '../waiting/sleep.ts';
import { combine, type Finding } from './findings/finding.ts';
import type { ProbeResult } from './findings/probe-report.ts';
import { checkAgain } from './media/check-media.ts';
import type { ProbeCase, ProbeOutcome } from './run-probe.ts';

/** The pace of probes. */
export interface ProbePace {
  /** Milliseconds between two probes of a platform. */
  readonly pause: number;
  /** Milliseconds after which media is requested once more. */
  readonly wait: number;
}

/** Runs a case up to the wait. */
export type RunCase = (probeCase: ProbeCase, signal: AbortSignal) => Promise<ProbeOutcome>;

/** A probe case before the wait. */
interface Waiting extends ProbeOutcome {
  readonly probeCase: ProbeCase;
  /** When the wait is over, on the clock of `performance.now()`. */
  readonly due: number;
}

/**
 * Runs probes: those of a platform one after the other, and platforms side by side. All probes of a platform share one
 * wait before their media is requested again.
 *
 * @param run Runs a case up to the wait.
 * @throws The signal's reason.
 */
export async function runProbes(
  cases: readonly ProbeCase[],
  run: RunCase,
  pace: ProbePace,
  signal: AbortSignal,
): Promise<readonly ProbeResult[]> {
  const byPlatform = Map.groupBy(cases, ({ platform }) => platform);
  const results = await Promise.all([...byPlatform.values()].map((ownCases) => runInTurn(ownCases, run, pace, signal)));
  return results.flat();
}

async function runInTurn(
  cases: readonly ProbeCase[],
  run: RunCase,
  { pause, wait }: ProbePace,
  signal: AbortSignal,
): Promise<readonly ProbeResult[]> {
  const waiting: Waiting[] = [];
  for (const probeCase of cases) {
    const gone = waiting.find(
      ({ probeCase: { probe }, finding }) => probe.name === probeCase.probe.name && isGone(finding),
    );
    if (gone === undefined && waiting.length > 0) await sleep(pause, signal);
    const outcome = gone === undefined ? await run(probeCase, signal) : { finding: gone.finding, media: [] };
    waiting.push({ probeCase, ...outcome, due: performance.now() + wait });
  }
  const results: ProbeResult[] = [];
  for (const { probeCase, finding, media, due } of waiting) {
    if (media.some(({ again }) => again !== undefined)) await sleep(Math.max(0, due - performance.now()), signal);
    const { platform, probe, endpoint, strategy } = probeCase;
    results.push({
      platform,
      probe: probe.name,
      ...(strategy === undefined ? {} : { strategy }),
      endpoint: endpoint.path,
      ...combine([finding, await checkAgain(media)]),
    });
  }
  return results;
}

/**
 * Whether the site says that there is no such item. Further strategies would not find it either, and some cannot tell a
 * missing item from a new shape.
 */
function isGone({ problems }: Finding): boolean {
  return problems.some((problem) => problem.kind === 'error' && problem.code === 'not_found');
}
