import type { Exits } from '../egress/exits.ts';
import type { Extraction } from '../platforms/platform.ts';
import { openLegs } from './legs.ts';
import type { Manners } from './manners.ts';
import type { Question } from './question.ts';

/** The time that an extraction has in all. */
const EXTRACTION_TIMEOUT_MS = 25_000;

/** What an extraction came to. */
export interface Extracted extends Extraction {
  /** The exit that it went through; its media is fetched through the same. */
  readonly exit: string;
}

/** How sites are reached. */
export interface Outside {
  readonly exits: Exits;
  readonly manners: Manners;
}

/**
 * Lets an endpoint ask its site.
 *
 * @param caller Aborted when nobody waits for the answer any more.
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function extract(question: Question, outside: Outside, caller: AbortSignal): Promise<Extracted> {
  const { endpoint, parameters, pages, wanted } = question;
  const over = new AbortController();
  const signal = AbortSignal.any([caller, over.signal]);
  const end = performance.now() + EXTRACTION_TIMEOUT_MS;
  const legs = openLegs(question, outside, () => end - performance.now(), signal);
  try {
    const { source, sourceIn } = legs;
    const { countries } = outside.exits;
    const extraction = await endpoint.extract(parameters, {
      source,
      countries,
      sourceIn,
      pages,
      requestsPart: wanted,
      signal,
    });
    return { ...extraction, exit: legs.succeeded(extraction.country) };
  } catch (error) {
    throw legs.failed(error);
  } finally {
    over.abort(new Error('the extraction is over'));
  }
}
