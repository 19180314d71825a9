import { addressOf, type Question, readQuestion } from './question.ts';
import { createStore } from './store.ts';

/** The question of the page's address. */
export const here = createStore<Question | undefined>(readQuestion(location.search));

addEventListener('popstate', () => here.set(readQuestion(location.search)));

/** Goes to a question, or to the empty page; the one before can be gone back to. */
export function go(question: Question | undefined): void {
  history.pushState(null, '', question === undefined ? './' : addressOf(question));
  here.set(question);
}
