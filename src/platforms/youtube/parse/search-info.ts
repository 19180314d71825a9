import { count, defined, dig, type Fields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { isBareResponse } from './member-kinds.ts';
import { readText } from './text.ts';

const MAX_REFINEMENTS = 50;

/**
 * How the site corrected the query: `replaced` means results for its own spelling, `included` results for both,
 * `suggested` only a suggestion.
 */
type Correction = 'replaced' | 'included' | 'suggested';

const corrections: readonly (readonly [string, Correction])[] = [
  ['showingResultsForRenderer', 'replaced'],
  ['includingResultsForRenderer', 'included'],
  ['didYouMeanRenderer', 'suggested'],
];

/** The properties of a search response other than its results. */
interface SearchInfo {
  /** The site's own estimate, which differs from page to page. */
  readonly estimated_results?: number;
  readonly correctedQuery?: string;
  readonly correction?: Correction;
  /** Related searches that the site suggests. */
  readonly refinements?: readonly string[];
}

/**
 * Returns whether a later page has only an estimate and neither results nor anything else that could contain them, as
 * the page after the last one may have (recorded 2026-07).
 */
export function isPastLastPage(response: Fields): boolean {
  return count(response.estimatedResults) !== undefined && isBareResponse(response);
}

/** Reads the data around the results. */
export function readSearchInfo(response: Fields): SearchInfo {
  const estimate = count(response.estimatedResults);
  return {
    ...defined({
      estimated_results: estimate,
      refinements: unlessEmpty(
        list(response.refinements)
          .slice(0, MAX_REFINEMENTS)
          .flatMap((words) => text(words) ?? []),
      ),
    }),
    ...readCorrection(response),
  };
}

function readCorrection({ contents }: Fields): Pick<SearchInfo, 'correctedQuery' | 'correction'> {
  const primary = dig(contents, 'twoColumnSearchResultsRenderer', 'primaryContents');
  for (const section of list(dig(primary, 'sectionListRenderer', 'contents'))) {
    // The correction precedes the first result.
    const first = dig(section, 'itemSectionRenderer', 'contents', 0);
    for (const [name, correction] of corrections) {
      const correctedQuery = readText(dig(first, name, 'correctedQuery'));
      if (correctedQuery !== undefined) return { correctedQuery, correction };
    }
  }
  return {};
}
