import { relative } from 'node:path';
import { judgeAll, keyOf, type Verdict, type VerdictCache } from '../tools/judge.ts';
import { attackText, endsWithin } from './attack.ts';
import { type FoundPattern, findPatterns } from './find-patterns.ts';

/** Milliseconds that an attack on a bounded pattern may take. With a proper bound it takes less than one. */
const BOUNDED_ATTACK_MS = 1_000;

/** Advice for fixing a slow pattern. */
export const advice = `Rewrite each pattern so that no part of a text can match two of its repetitions, or use string functions
such as trimTrailing (src/contract/trim-trailing.ts). If the input is short, call
boundedPattern(/…/, <maximum length>) from src/contract/bounded-pattern.ts.`;

/** Checks the regular expressions of some files. Returns an error message for each slow or unreadable one. */
export async function checkPatterns(
  files: readonly string[],
  cache: VerdictCache,
  readSource?: (file: string) => string,
): Promise<readonly string[]> {
  const { patterns, unreadable } = findPatterns(files, readSource);
  const verdicts = await judgeAll(patterns, cache);
  cache.save(verdicts);
  const slow = patterns.flatMap((pattern) => faultOf(pattern, verdicts.get(keyOf(pattern))) ?? []);
  return [
    ...unreadable.map((one) => `${placeOf(one)} ${one.code}\n    This pattern cannot be checked: ${one.reason}.`),
    ...slow,
  ];
}

/** Returns the error message for a pattern and its verdict; undefined if the pattern is fine. */
function faultOf(pattern: FoundPattern, verdict: Verdict | undefined): string | undefined {
  const what = `${placeOf(pattern)} ${keyOf(pattern)}`;
  if (verdict?.kind === 'linear') return undefined;
  if (verdict?.kind !== 'slow') {
    return `${what}\n    The checker could not decide (${verdict?.reason ?? 'no verdict'}); simplify the pattern.`;
  }
  const { growth, attack } = verdict;
  const { maxLength } = pattern;
  if (maxLength === undefined) {
    return `${what}\n    Takes ${growth} time, for example on ${attack.pattern}.`;
  }
  if (endsWithin(BOUNDED_ATTACK_MS, pattern, attackText(attack, maxLength))) return undefined;
  return `${what}\n    Takes over ${BOUNDED_ATTACK_MS} ms on ${maxLength} characters of ${attack.pattern}; lower its bound.`;
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${relative('.', file)}:${line}`;
}
