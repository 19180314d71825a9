import { UsageError } from '../errors/command-errors.ts';

/** A request to the admin API, and how its response is printed for people. */
export interface AdminOperation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly format: (response: unknown) => string;
  /** Returns the exit code; default: success. */
  readonly exitCode?: (response: unknown) => number;
}

/** The part of an invocation that an operation is made from. */
export interface AdminArguments {
  /** The words after the subject and the action, such as an ID. */
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** Returns the only word, which names an object. */
export function onlyId({ words: [id, ...more] }: AdminArguments, what: string): string {
  if (id === undefined) throw new UsageError(`Pass the ID of the ${what}, as shown by "millrace admin ${what}s list".`);
  if (more.length > 0) throw new UsageError(`Unexpected argument: "${more[0]}".`);
  return encodeURIComponent(id);
}

/** Returns the query of a list: the options that are set, under the names of their parameters. */
export function queryOf({ values }: AdminArguments, parameters: Readonly<Record<string, string>>): URLSearchParams {
  const set = Object.entries(parameters).flatMap(([option, parameter]) => {
    const value = values[option];
    return typeof value === 'string' ? [[parameter, value]] : [];
  });
  return new URLSearchParams(set);
}

/** Returns the value of an option that must be set. */
export function requiredOption({ values }: AdminArguments, name: string, what: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`Set ${what} with --${name}.`);
}

/** Returns a time for the admin API. A date alone is its midnight (UTC). */
export function timeOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}

/** Returns the date and the time to the second of a response (UTC). */
export function timeCell(time: string | null): string {
  return time === null ? '' : time.slice(0, 19).replace('T', ' ');
}
