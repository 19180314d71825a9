import { MillraceError } from '../contract/errors.ts';
import type { Passage } from '../egress/breaker.ts';
import type { Exit } from '../egress/exits.ts';
import type { SourceAnswer, SourceClient } from '../platforms/platform.ts';
import type { Manners } from './manners.ts';
import type { Retries } from './retries.ts';

/** Codes that speak of a source that is down or blocks us. */
const speakOfTheSource = new Set(['connection_error', 'operation_timeout', 'non_2xx_response']);

/** What an extraction does through one exit. */
export interface Leg {
  readonly exit: Exit;
  readonly source: SourceClient;
  /**
   * Tells the breaker what this exit came to.
   *
   * @param outcome What the extraction came to, where it was through this exit; absent: what its questions came to.
   */
  end(outcome?: { readonly error?: unknown }): void;
  /** Why the breaker let nothing through, where it did not. */
  readonly refusal: MillraceError | undefined;
}

/** What the legs of an extraction have in common. */
export interface LegContext {
  readonly platform: string;
  /** What is asked for. */
  readonly subject: string;
  readonly manners: Manners;
  readonly retries: Retries;
  readonly signal: AbortSignal;
}

/** Makes a client keep the manners: it asks only where the breaker lets it, in its turn, and again where that may help. */
export function openLeg(
  exit: Exit,
  client: SourceClient,
  { platform, subject, manners, retries, signal }: LegContext,
): Leg {
  let passage: Passage | undefined;
  let answered = false;
  let failure: MillraceError | undefined;
  let refusal: MillraceError | undefined;

  const enter = (): Passage => {
    try {
      return manners.breaker.enter(platform, exit.id, subject);
    } catch (error) {
      if (error instanceof MillraceError) refusal = error;
      throw error;
    }
  };
  const ask = async (url: string, send: () => Promise<SourceAnswer>): Promise<SourceAnswer> => {
    passage ??= enter();
    return await retries.run(async () => {
      // What is no address is the exit's to refuse.
      await manners.pace.turn(URL.parse(url)?.host ?? '', exit.id, signal);
      try {
        const answer = await send();
        answered = true;
        return answer;
      } catch (error) {
        if (isOfTheSource(error)) failure = error;
        throw error;
      }
    });
  };
  return {
    exit,
    get refusal() {
      return refusal;
    },
    source: {
      ...client,
      get: (url, options) => ask(url, () => client.get(url, options)),
      post: (url, body, options) => ask(url, () => client.post(url, body, options)),
    },
    end(outcome) {
      const questions = answered ? 'answered' : (failure ?? 'unknown');
      if (outcome === undefined) passage?.end(questions);
      else if (isOfTheSource(outcome.error)) passage?.end(outcome.error);
      else passage?.end(outcome.error === undefined ? 'answered' : questions);
    },
  };
}

function isOfTheSource(error: unknown): error is MillraceError {
  return error instanceof MillraceError && speakOfTheSource.has(error.code);
}
