import { tagNames } from '../tags/tags.ts';
import type { ProbeReport, ProcessReport } from '../tasks/report.ts';

/** Compares the tags and the cover that a job added with those of its result; returns the first difference. */
export function compareAdditions(report: ProcessReport, probe: ProbeReport): string | undefined {
  const lostTag = tagNames.find(
    (name) => report.tags?.[name] !== undefined && report.tags[name] !== probe.tags?.[name],
  );
  if (lostTag !== undefined) return `its ${lostTag.replace('_', ' ')} tag is missing or changed`;
  if (report.cover !== undefined && report.cover !== probe.cover) return 'its cover image is missing or changed';
  return undefined;
}
