import type { Fields } from '../../../parsing/values.ts';

/** A response in the language that is parsed, and in the caller's language if that differs and was available. */
export interface LocalisedResponse {
  readonly response: Fields;
  readonly translation?: Fields;
}
