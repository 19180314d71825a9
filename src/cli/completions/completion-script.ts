import type { Command } from '../command-line/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** Returns the script with which a shell completes the command line; undefined for an unknown shell. */
export function completionScript(shell: string, commands: readonly Command[]): string | undefined {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
    default:
      return undefined;
  }
}
