import { type Problem, type Verdict, worstOf } from './probe-report.ts';

/** What one step of a probe found. */
export interface Finding {
  readonly verdict: Verdict;
  readonly problems: readonly Problem[];
}

/** The finding of a step without problems. */
export const noProblem: Finding = { verdict: 'works', problems: [] };

/** Returns the finding that the site has changed, if there are problems. */
export function driftIf(problems: readonly Problem[]): Finding {
  return problems.length === 0 ? noProblem : { verdict: 'drifting', problems };
}

/** Combines the findings of several steps. */
export function combine(findings: readonly Finding[]): Finding {
  return {
    verdict: worstOf(findings.map(({ verdict }) => verdict)),
    problems: findings.flatMap(({ problems }) => problems),
  };
}
