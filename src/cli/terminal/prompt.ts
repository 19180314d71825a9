import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';
import { visible } from './visible.ts';

/**
 * Asks the person at the terminal, and returns the answer without space around it.
 *
 * @param hidden Whether what is typed is not shown.
 * @throws the signal's reason.
 */
export async function prompt(
  { input, error }: Pick<Terminal, 'input' | 'error'>,
  question: string,
  signal: AbortSignal,
  hidden = false,
): Promise<string> {
  const echo = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : error;
  const lines = createInterface({ input, output: echo, terminal: true });
  // Lines that are edited show their question by themselves. A hidden answer is asked for once the terminal shows nothing
  // of it any more, or who is quick sees the first letters.
  if (hidden) error.write(visible(question));
  // While lines are edited, the terminal hands Ctrl-C over as a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = Promise.withResolvers<string>();
  lines.on('close', () => ended.resolve(''));
  try {
    return (await Promise.race([lines.question(hidden ? '' : visible(question), { signal }), ended.promise])).trim();
  } catch (problem) {
    throw signal.aborted ? signal.reason : problem;
  } finally {
    lines.close();
    if (hidden) error.write('\n');
  }
}
