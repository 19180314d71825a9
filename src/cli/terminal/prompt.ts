import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { sanitiseText } from '../../parsing/sanitise-text.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prompts at the terminal, and returns the trimmed input.
 *
 * @param hidden Whether the input is not echoed.
 * @throws The signal's reason.
 */
export async function prompt(
  { input, error }: Pick<Terminal, 'input' | 'error'>,
  question: string,
  signal: AbortSignal,
  hidden = false,
): Promise<string> {
  const echo = hidden ? new Writable({ write: (_chunk, _encoding, callback) => callback() }) : error;
  const lines = createInterface({ input, output: echo, terminal: true });
  // The line editor prints the prompt itself. For hidden input, the prompt appears after echo is off: a quick typist
  // would otherwise see the first letters.
  if (hidden) error.write(sanitiseText(question));
  // While a line is being edited, the terminal delivers Ctrl-C as a key, not as a signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const inputEnd = Promise.withResolvers<string>();
  lines.on('close', () => inputEnd.resolve(''));
  try {
    return (
      await Promise.race([lines.question(hidden ? '' : sanitiseText(question), { signal }), inputEnd.promise])
    ).trim();
  } catch (failure) {
    throw signal.aborted ? signal.reason : failure;
  } finally {
    lines.close();
    if (hidden) error.write('\n');
  }
}
