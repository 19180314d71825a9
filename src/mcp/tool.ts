import type { Static, TObject } from 'typebox';
import type { Client } from '#client/client.ts';

/** What tools call. */
export interface ToolService {
  /** A client of the service, with the keys of the caller. */
  readonly client: Client;
  /** Whether the caller has a key of the direct job API. */
  readonly canStartJobs: boolean;
  /** Settles when jobs can run. @throws The error with which the worker failed to start. */
  ready(): Promise<void>;
}

/** The context of one call. */
export interface ToolContext extends ToolService {
  /** Aborts when the caller cancels the call, or when its time limit expires. */
  readonly signal: AbortSignal;
  /** Reports the progress of a render, if the caller requested it. */
  report(percent: number, status: string): Promise<void>;
}

/** A tool for language models. */
export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  /** Display name. */
  readonly title: string;
  readonly description: string;
  /** Schema of the arguments. */
  readonly input: Input;
  /** Schema of the result. */
  readonly output: TObject;
  /** Whether it changes nothing besides credits. */
  readonly readOnly: boolean;
  /** Whether it needs a key of the direct job API. Callers without one do not see it. */
  readonly startsJobs?: true;
  /**
   * Runs the tool.
   *
   * @throws MillraceError, the errors of the client, and the signal's reason.
   */
  run(args: Static<Input>, context: ToolContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Defines a tool whose `run` has the types of its arguments. */
export function defineTool<const Input extends TObject>(tool: Tool<Input>): Tool {
  // The cast is safe: the arguments are checked against the tool's own schema before it runs.
  return tool as unknown as Tool;
}
