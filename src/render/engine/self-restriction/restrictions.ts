/** The restrictions that a child has applied to itself before its task, as far as its kernel supports them. */
export interface Restrictions {
  /** Version of Landlock that restricts its files; 0 without Landlock. */
  readonly landlock: number;
  /** Whether it is limited to the system calls that media work needs. */
  readonly systemCalls: boolean;
}
