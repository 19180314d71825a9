import type { Command } from '../command-line/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** What a shell reads to complete the command line; undefined for a shell that is not known. */
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
