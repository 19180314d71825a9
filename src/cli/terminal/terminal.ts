import { once } from 'node:events';
import { styleText } from 'node:util';
import { visible } from './visible.ts';

/** A colour or weight of text. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** What a command talks to: data goes to the standard output, everything else to the standard error. */
export interface Terminal {
  /** Writes text as it can be shown. Settles when there is room for more. */
  print(text: string, style?: Style): Promise<void>;
  /** Writes bytes as they are. Settles when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Tells a person something, as it can be shown; a line of its own. */
  say(text: string, style?: Style): void;
  /** Whether a person can be asked: keyboard and standard error are a terminal. */
  readonly interactive: boolean;
  /** Whether the standard output is a terminal. */
  readonly outputIsTerminal: boolean;
  readonly input: NodeJS.ReadStream;
  readonly error: NodeJS.WriteStream;
}

/** The streams of a process. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/**
 * Opens the terminal, pipes or files that a process has.
 *
 * @param failed Is told what keeps the standard output from being written: nobody reads it any more (EPIPE), or there is
 *   no room.
 */
export function openTerminal({ stdin, stdout, stderr }: Streams, failed: (error: Error) => void): Terminal {
  let broken = false;
  stdout.on('error', (error) => {
    broken = true;
    failed(error);
  });
  // Who does not want to hear how it goes misses nothing else.
  stderr.on('error', () => undefined);

  /** Colours follow NO_COLOR, FORCE_COLOR and whether it is a terminal. */
  const styled = (text: string, style: Style | undefined, stream: NodeJS.WriteStream) =>
    style === undefined ? visible(text) : styleText(style, visible(text), { stream });

  async function put(piece: string | Uint8Array): Promise<void> {
    if (broken || stdout.write(piece)) return;
    // What breaks meanwhile is told to `failed`.
    await once(stdout, 'drain').catch(() => undefined);
  }

  return {
    print: (text, style) => put(styled(text, style, stdout)),
    write: put,
    say: (text, style) => {
      stderr.write(`${styled(text, style, stderr)}\n`);
    },
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    outputIsTerminal: stdout.isTTY === true,
    input: stdin,
    error: stderr,
  };
}
