import type { ProbeResult } from '../../probe/findings/probe-report.ts';
import { formatTable } from '../terminal/table.ts';

/** Formats the results of probes as a table, with one line for each further problem. */
export function probeTable(results: readonly ProbeResult[]): string {
  const rows = results.flatMap(({ platform, probe, strategy = '', verdict, problems }) => {
    const [first = '', ...others] = problems.map(({ message }) => message);
    return [[platform, probe, strategy, verdict, first], ...others.map((message) => ['', '', '', '', message])];
  });
  return formatTable([['PLATFORM', 'PROBE', 'STRATEGY', 'VERDICT', 'PROBLEM'], ...rows]);
}
