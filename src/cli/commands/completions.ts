import { type Command, defineCommand, type Invocation } from '../command-line/command.ts';
import { completionScript } from '../completions/completion-script.ts';
import { UsageError } from '../errors/command-errors.ts';

const shells = ['bash', 'zsh', 'fish'];

/**
 * `millrace completions`.
 *
 * @param commands All commands, of which this is one.
 */
export function completionsCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completions',
    summary: 'Print a completion script for a shell.',
    usage: ['bash|zsh|fish'],
    arity: [1, 1],
    firstArguments: shells,
    options: {},
    details: `  millrace completions bash > ~/.local/share/bash-completion/completions/millrace
  millrace completions zsh > "\${fpath[1]}/_millrace"
  millrace completions fish > ~/.config/fish/completions/millrace.fish`,
    async run({ positionals: [shell], terminal }: Invocation) {
      const script = completionScript(shell ?? '', commands());
      if (script === undefined) throw new UsageError(`Completions are available for ${shells.join(', ')}.`);
      await terminal.print(script);
      return 0;
    },
  });
}
