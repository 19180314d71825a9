import { availableParallelism } from 'node:os';
import { type AttackPattern, check, type Diagnostics, type Parameters } from 'recheck';
import recheck from 'recheck/package.json' with { type: 'json' };

/** A regular expression without its location. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** How matching time grows with the length of the text. `unknown`: the checker could not decide. */
export type Verdict =
  | { readonly kind: 'linear' }
  | { readonly kind: 'slow'; readonly growth: string; readonly attack: Attack }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The worst input for a pattern: prefixes, parts to repeat, and a suffix. */
export type Attack = Pick<AttackPattern, 'pumps' | 'suffix' | 'pattern'>;

/** Verdicts of earlier runs. */
export interface VerdictCache {
  get(key: string): Verdict | undefined;
  /** Stores these verdicts for the next run, and removes all others. */
  save(verdicts: ReadonlyMap<string, Verdict>): void;
}

/**
 * Highest repetition count that is judged as written. Higher counts are treated as unbounded, because a text of a
 * megabyte would be read that many times.
 */
const MAX_COUNT = 20;

/** Only the whole check has a time limit, so that a busy machine gets the same verdicts. */
const parameters: Parameters = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // Maximum number of characters read. A linear pattern reads a few times the length of the longest attack, which is
  // 300,000 characters.
  attackLimit: 50_000_000,
};

/** Changes whenever the same pattern could get another verdict. */
export const judgeVersion = JSON.stringify([recheck.version, MAX_COUNT, parameters]);

/** Returns the verdicts on some patterns, by {@link keyOf}. Cached verdicts are not computed again. */
export async function judgeAll(
  patterns: Iterable<Pattern>,
  cache: VerdictCache,
  workers = availableParallelism(),
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const unjudged = new Map([...patterns].map((pattern) => [keyOf(pattern), pattern]));
  for (const key of unjudged.keys()) {
    const cachedVerdict = cache.get(key);
    if (cachedVerdict === undefined) continue;
    verdicts.set(key, cachedVerdict);
    unjudged.delete(key);
  }
  const queue = unjudged.entries();
  const work = async () => {
    for (const [key, pattern] of queue) verdicts.set(key, await judge(pattern));
  };
  await Promise.all(Array.from({ length: workers }, work));
  return verdicts;
}

/** Returns the cache key of a pattern. */
export function keyOf({ source, flags }: Pattern): string {
  return `/${source}/${flags}`;
}

/** Judges a pattern. Repetition counts over 20 are treated as unbounded. */
export async function judge({ source, flags }: Pattern): Promise<Verdict> {
  const unboundedSource = withoutHighCounts(source);
  // Exact and deterministic, but without support for lookarounds and back references.
  const exact = await check(unboundedSource, flags, { ...parameters, checker: 'automaton' });
  if (exact.status !== 'unknown' || exact.error.kind === 'invalid') return verdictOf(exact);
  return verdictOf(await check(unboundedSource, flags, { ...parameters, checker: 'fuzz' }));
}

function verdictOf(diagnostics: Diagnostics): Verdict {
  switch (diagnostics.status) {
    case 'safe':
      return { kind: 'linear' };
    case 'vulnerable': {
      const { pumps, suffix, pattern } = diagnostics.attack;
      return { kind: 'slow', growth: diagnostics.complexity.summary, attack: { pumps, suffix, pattern } };
    }
    case 'unknown': {
      const { error } = diagnostics;
      return { kind: 'unknown', reason: 'message' in error ? `${error.kind}: ${error.message}` : error.kind };
    }
  }
}

/** Replaces `{m,n}` with `*` or `+` if the counts are high. Escapes and character classes stay unchanged. */
function withoutHighCounts(source: string): string {
  return source.replace(
    /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,(\d*))?\}/gs,
    (text, least?: string, range?: string, most?: string) => {
      if (least === undefined) return text;
      const highest = Number(range === undefined || most === '' ? least : most);
      if (highest <= MAX_COUNT) return text;
      return Number(least) === 0 ? '*' : '+';
    },
  );
}
