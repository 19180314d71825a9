import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors/command-errors.ts';
import { prompt } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The keys of a service. */
export interface Credentials {
  readonly key?: string | undefined;
  readonly renderKey?: string | undefined;
}

/** The key that a command needs, if any. */
export type RequiredKey = 'extraction' | 'render' | 'none';

/**
 * Finds the keys. The required one is read from the file that an option names; otherwise from `MILLRACE_KEY` and
 * `MILLRACE_RENDER_KEY`, or from the files that `MILLRACE_KEY_FILE` and `MILLRACE_RENDER_KEY_FILE` name. Keys are never
 * command-line arguments, because every user of the machine can read those in the process list.
 *
 * @throws UsageError for a file that cannot be read.
 */
export async function findCredentials(
  requiredKey: RequiredKey,
  keyFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Credentials> {
  const keyFromOption = keyFile === undefined ? undefined : await readKeyFile(keyFile);
  return {
    key:
      (requiredKey === 'extraction' ? keyFromOption : undefined) ??
      (await keyFromEnvironment(environment, 'MILLRACE_KEY')),
    renderKey:
      (requiredKey === 'render' ? keyFromOption : undefined) ??
      (await keyFromEnvironment(environment, 'MILLRACE_RENDER_KEY')),
  };
}

/** Prompts for a key without echoing it. Returns undefined without a terminal, or if nothing is typed. */
export async function promptForKey(
  terminal: Terminal,
  apiName: string,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!terminal.interactive) return undefined;
  const input = await prompt(terminal, `Key for the ${apiName} at ${address} (Enter for none): `, signal, true);
  return input === '' ? undefined : input;
}

async function keyFromEnvironment(environment: NodeJS.ProcessEnv, name: string): Promise<string | undefined> {
  const value = environment[name]?.trim();
  if (value) return value;
  const path = environment[`${name}_FILE`]?.trim();
  return path ? await readKeyFile(path) : undefined;
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new UsageError(`The key file ${path} cannot be read.`, { cause: error });
  }
}
