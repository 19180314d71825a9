import { once } from 'node:events';
import { styleText } from 'node:util';
import { sanitiseText } from '../../parsing/sanitise-text.ts';

/** A colour or weight of text. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** The streams of a command: data goes to standard output, everything else to standard error. */
export interface Terminal {
  /** Writes sanitised text. Settles when the stream accepts more. */
  print(text: string, style?: Style): Promise<void>;
  /** Writes bytes unchanged. Settles when the stream accepts more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Writes a line for people to standard error. */
  say(text: string, style?: Style): void;
  /** Whether prompts are possible: standard input and standard error are a terminal. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly outputIsTerminal: boolean;
  readonly input: NodeJS.ReadStream;
  readonly error: NodeJS.WriteStream;
}

/** The streams of a process. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/**
 * Opens the terminal, pipes or files of a process.
 *
 * @param onOutputError Called with the error that prevents writing to standard output: the reader has closed it
 * (EPIPE), or there is no space.
 */
export function openTerminal({ stdin, stdout, stderr }: Streams, onOutputError: (error: Error) => void): Terminal {
  let broken = false;
  stdout.on('error', (error) => {
    broken = true;
    onOutputError(error);
  });
  // Progress messages may be lost, so their errors are ignored.
  stderr.on('error', () => undefined);

  /** Colours depend on NO_COLOR, FORCE_COLOR and whether the stream is a terminal. */
  const applyStyle = (text: string, style: Style | undefined, stream: NodeJS.WriteStream) =>
    style === undefined ? sanitiseText(text) : styleText(style, sanitiseText(text), { stream });

  async function write(chunk: string | Uint8Array): Promise<void> {
    if (broken || stdout.write(chunk)) return;
    // Errors in the meantime are reported to `onOutputError`.
    await once(stdout, 'drain').catch(() => undefined);
  }

  return {
    print: (text, style) => write(applyStyle(text, style, stdout)),
    write: write,
    say: (text, style) => {
      stderr.write(`${applyStyle(text, style, stderr)}\n`);
    },
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    outputIsTerminal: stdout.isTTY === true,
    input: stdin,
    error: stderr,
  };
}
