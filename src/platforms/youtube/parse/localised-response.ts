import type { Fields } from '../../../parsing/values.ts';

/** An answer in the language that is parsed, and in the caller's language if that is another one and was available. */
export interface LocalisedAnswer {
  readonly answer: Fields;
  readonly localised?: Fields;
}
