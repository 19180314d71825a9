/** The description of a problem for people. */
export interface ProblemText {
  readonly title: string;
  /** What happened, in one or two sentences. */
  readonly text: string;
  /** What to do, in one or two sentences. */
  readonly advice?: string;
}
