import type { Answer } from '#client/index.ts';
import type { Question } from './question.ts';

/** What every view of an answer is given. */
export interface AnswerProps {
  readonly question: Question;
  readonly answer: Answer;
}

/** The id of the heading of an answer, which the focus is put on. */
export const answerTitle = 'answer-title';
