/*
 * The rule that decides whether media is refused so often that other profiles should be tried first.
 *
 * It compares two explanations of the fetches of one profile through one exit: media works and is refused now and then
 * (4 % of the files), or media is refused (50 %). Each fetch shifts the odds between them: a refusal by 12.5 to 1, an
 * arrival by 1 to 1.92. The odds start at 1 to 2,500, their prior, and never fall below it, so that a long good time does
 * not hide a change. Without a verdict, the evidence fades with a half-life of an hour.
 *
 * The verdict is reached at even odds: after four refusals in a row at the earliest. It is lifted by arrivals alone,
 * never by time: after six more arrivals than needed to balance further refusals. `trials.ts` sees to it that there are
 * fetches during a verdict.
 *
 * Simulated (refusal-evidence.test.ts) with 60 files an hour: if 1 % are refused, there is a false verdict in less than
 * 0.1 of a thousand hours. If 50 % are refused, the verdict is reached after a median of 8 files, and after 18 files in
 * 95 % of the cases.
 */

const OCCASIONAL_RATE = 0.04;
const FREQUENT_RATE = 0.5;
const PRIOR_ODDS = 1 / 2_500;
const HALF_LIFE_MS = 3_600_000;

/** Natural logarithms of the factors by which fetches change the odds, and of the factor that reaches even odds. */
const REFUSAL = Math.log(FREQUENT_RATE / OCCASIONAL_RATE);
const ARRIVAL = Math.log((1 - FREQUENT_RATE) / (1 - OCCASIONAL_RATE));
const VERDICT = -Math.log(PRIOR_ODDS);

/** The evidence at which a verdict is lifted. */
const LIFTED = VERDICT / 2;

/** Numbers of fetches. */
export interface RefusalCounts {
  readonly refused: number;
  readonly arrived: number;
}

/** A verdict that media is refused. */
export interface RefusalVerdict {
  /** Portion of the fetches since then that were refused. */
  readonly rate: number;
  /** When the refusals began, in milliseconds since 1970. */
  readonly since: number;
}

/** What the fetches so far say about refusals. */
export interface RefusalEvidence {
  /** Adds fetches that ended at about the same time, in milliseconds since 1970. */
  add(counts: RefusalCounts, at: number): void;
  /** The current verdict, if media is refused. The same object until the next fetch. */
  readonly verdict: RefusalVerdict | undefined;
}

/** Creates the evidence without any fetch. */
export function createRefusalEvidence(): RefusalEvidence {
  /** Logarithm of the factor by which the odds exceed their prior. */
  let evidence = 0;
  let last = 0;
  let since = 0;
  let counts: RefusalCounts = { refused: 0, arrived: 0 };
  let verdict: RefusalVerdict | undefined;

  function fade(at: number): void {
    if (verdict === undefined && at > last) evidence *= 0.5 ** ((at - last) / HALF_LIFE_MS);
    last = Math.max(last, at);
  }

  return {
    add({ refused, arrived }, at) {
      fade(at);
      const changed = evidence + refused * REFUSAL + arrived * ARRIVAL;
      if (changed <= 0) {
        evidence = 0;
        counts = { refused: 0, arrived: 0 };
        verdict = undefined;
        return;
      }
      if (counts.refused === 0) since = at;
      counts = { refused: counts.refused + refused, arrived: counts.arrived + arrived };
      evidence = Math.min(changed, VERDICT);
      const isRefused = evidence >= VERDICT || (verdict !== undefined && evidence > LIFTED);
      verdict = isRefused ? { rate: counts.refused / (counts.refused + counts.arrived), since } : undefined;
    },
    get verdict() {
      return verdict;
    },
  };
}
