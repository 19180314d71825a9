import type { Extraction } from '../../platforms/platform.ts';
import { missingFields } from '../../platforms/probe-fields.ts';
import type { Problem } from './probe-report.ts';

/** Returns a problem for each expected field that has no value. */
export function missingProblems(extraction: Extraction, expects: readonly string[]): readonly Problem[] {
  return missingFields(extraction, expects).map((path) => ({
    kind: 'missing_field',
    path,
    message: `Missing: ${path}.`,
  }));
}
