import { useEffect, useState } from 'preact/hooks';
import { type Answered, ask } from './ask.ts';
import type { Question } from './question.ts';

/** How a question fares. */
export type Asking =
  | { readonly state: 'none' }
  | { readonly state: 'asked'; readonly question: Question }
  | ({ readonly state: 'answered' } & Answered)
  | { readonly state: 'failed'; readonly question: Question; readonly error: unknown };

/** Asks a question, and the next one in its place. */
export function useAnswer(question: Question | undefined): Asking {
  const [asking, setAsking] = useState<Asking>({ state: 'none' });
  useEffect(() => {
    if (question === undefined) {
      setAsking({ state: 'none' });
      return;
    }
    const left = new AbortController();
    setAsking({ state: 'asked', question });
    ask(question, left.signal).then(
      (answered) => setAsking({ state: 'answered', ...answered }),
      (error: unknown) => {
        if (!left.signal.aborted) setAsking({ state: 'failed', question, error });
      },
    );
    return () => left.abort();
  }, [question]);
  return asking;
}
