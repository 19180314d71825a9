/** The parts of a local service that a command needs. */
export interface ServiceParts {
  readonly extraction: boolean;
  readonly renders: boolean;
  /** Whether its jobs have webhooks. */
  readonly webhooks: boolean;
}

/** A service that runs in this process. */
export interface RunningService {
  readonly url: string;
  /**
   * Settles when jobs can run.
   *
   * @throws The error with which the worker failed to start.
   */
  ready(): Promise<void>;
  /** Stops the service with all running work, and deletes temporary data. */
  close(): Promise<void>;
}
