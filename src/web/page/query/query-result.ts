import type { ExtractionResponse } from '#client/index.ts';
import type { Query } from './query.ts';

/** A query with its result: the properties of every view of results. */
export interface QueryResult {
  readonly query: Query;
  readonly result: ExtractionResponse;
}

/** The ID of the heading of a result, which gets the focus. */
export const resultHeadingId = 'result-title';
