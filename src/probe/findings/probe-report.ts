/**
 * The verdict about a probe. `drifting`: the site's responses can no longer be read completely. `refused`: the site
 * refuses the request or the item. `unreachable`: there was no response.
 */
export type Verdict = 'works' | 'drifting' | 'refused' | 'unreachable';

/** One reason why a probe does not work. Every kind has a message for people. */
export type Problem = { readonly message: string } & (
  | {
      /** An expected field has no value. */
      readonly kind: 'missing_field';
      readonly path: string;
    }
  | {
      /** Entries that no parser recognises. */
      readonly kind: 'unread';
      /** The site's name of the new shape. */
      readonly shape: string;
      readonly count: number;
    }
  | {
      /** The extraction failed. */
      readonly kind: 'error';
      readonly code: string;
    }
  | {
      /** The next page is missing, or repeats the first. */
      readonly kind: 'next_page';
    }
  | {
      /** Media does not arrive. */
      readonly kind: 'media';
      /** The item, such as `video 720p`. */
      readonly item: string;
      /** The requested part. */
      readonly part: MediaPart;
      /** HTTP status; absent without a response. */
      readonly status?: number;
      /** Bytes of this part that arrived. */
      readonly bytes: number;
    }
);

/** The parts of a file that a probe requests: from the start, one further on, and that one again after a while. */
export type MediaPart = 'start' | 'later' | 'after_wait';

/** The result of a probe, with one strategy of its endpoint. */
export interface ProbeResult {
  readonly platform: string;
  readonly probe: string;
  /** The only strategy that was used; absent if the endpoint has no strategies, or for a probe without media. */
  readonly strategy?: string;
  readonly endpoint: string;
  readonly verdict: Verdict;
  readonly problems: readonly Problem[];
}

/** Verdicts from best to worst: the worst one decides. */
const ranking: readonly Verdict[] = ['works', 'unreachable', 'refused', 'drifting'];

/** Returns the worst of some verdicts. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce(
    (worst, verdict) => (ranking.indexOf(verdict) > ranking.indexOf(worst) ? verdict : worst),
    'works',
  );
}

/** The results of a run of probes. */
export interface ProbeReport {
  /** The worst verdict. */
  readonly verdict: Verdict;
  /** When the run ended, as an ISO date. */
  readonly date: string;
  readonly probes: readonly ProbeResult[];
}

/** Creates the report of a run. */
export function reportOf(probes: readonly ProbeResult[]): ProbeReport {
  return { verdict: worstOf(probes.map(({ verdict }) => verdict)), date: new Date().toISOString(), probes };
}
