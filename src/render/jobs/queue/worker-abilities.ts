/** Which jobs the workers of a process can run. */
export interface WorkerAbilities {
  /** The highest format of job descriptions that they read. */
  readonly maxFormat: number;
  /** Whether they run the jobs of test keys, which needs the lab. */
  readonly runsTestJobs: boolean;
}

/**
 * Whether a worker can run a job, as SQL.
 *
 * @param maxFormat The parameter of the statement that has the highest format, such as `$2`.
 */
export function isRunnable({ runsTestJobs }: WorkerAbilities, maxFormat: string): string {
  return `format <= ${maxFormat}${runsTestJobs ? '' : ' and not test'}`;
}
