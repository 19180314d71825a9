import { recogniseLink } from '#client/recognise-link.ts';
import { readPackageManifest } from '../files/package-manifest.ts';
import type { Command } from './command-line/command.ts';
import { generalHelp, helpOf, usageOf } from './command-line/help.ts';
import { suggestionFor } from './command-line/suggestion.ts';
import { commands } from './commands.ts';
import { parseWithConfig } from './config-file/apply-config.ts';
import { isNodeNewEnough, nodeAdvice } from './doctor/node-version.ts';
import { CommandError, UsageError } from './errors/command-errors.ts';
import { exitCodeOf } from './errors/exit-codes.ts';
import { abortOnSignals, OutputClosedError } from './errors/interruption.ts';
import { reportError } from './reporting/reporter.ts';
import { openTerminal, type Terminal } from './terminal/terminal.ts';

/** What a command uses of its process. */
export type CommandProcess = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'on'>;

/** A command line that runs. */
interface Session {
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted on a signal, or when the output cannot be written. */
  readonly controller: AbortController;
  readonly process: CommandProcess;
}

/**
 * Runs the command line, and reports failures. Returns the exit code; undefined if a command ends the process itself.
 *
 * @param words The arguments of the program.
 */
export async function runCommandLine(words: readonly string[], process: CommandProcess): Promise<number | undefined> {
  const controller = new AbortController();
  const terminal = openTerminal(process, (error) => {
    const readerClosed = 'code' in error && error.code === 'EPIPE';
    const message = `The output cannot be written: ${error.message}.`;
    controller.abort(
      readerClosed
        ? new OutputClosedError('The reader has closed the output.')
        : new CommandError(message, { cause: error }),
    );
  });
  const session = { terminal, environment: process.env, controller, process };
  return await selectCommand(words, session).catch((error: unknown) => handleError(error, undefined, false, session));
}

/** Runs the command that the first word names. */
async function selectCommand([name, ...rest]: readonly string[], session: Session): Promise<number | undefined> {
  const { terminal } = session;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const command = commands.find((command) => command.name === rest[0]);
    await terminal.print(command === undefined ? generalHelp(commands) : helpOf(command));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-V' || name === 'version') {
    const { version } = await readPackageManifest();
    await terminal.print(`${version}\n`);
    return 0;
  }
  const command = commands.find((entry) => entry.name === name);
  if (command === undefined) throw new UsageError(unknownCommandMessage(name));
  // The doctor reports an unsupported Node itself.
  if (name !== 'doctor' && !isNodeNewEnough()) throw new CommandError(`This version of Node is too old. ${nodeAdvice}`);
  return await run(command, rest, session);
}

function unknownCommandMessage(name: string): string {
  const names = commands.map((command) => command.name);
  const suggestion = suggestionFor(name, names);
  if (suggestion !== undefined) return `Unknown command: ${name}. Did you mean ${suggestion}?`;
  if (recogniseLink(name) !== undefined) return 'A command is missing. Use "millrace get" to download a link.';
  return `Unknown command: ${name}. Commands: ${names.join(', ')}.`;
}

async function run(command: Command, args: readonly string[], session: Session): Promise<number | undefined> {
  const { terminal, environment, controller, process } = session;
  let asJson = false;
  try {
    const configured = commands.filter(({ usesConfig }) => usesConfig === true);
    const { values, positionals, help, report } = await parseWithConfig(command, args, configured, environment);
    if (help || report !== undefined) {
      await terminal.print(report ?? helpOf(command));
      return 0;
    }
    asJson = values.json === true || values.events === true;
    if (command.handlesSignals !== true) abortOnSignals(controller, process);
    const code = await command.run({
      values,
      positionals,
      terminal,
      signal: controller.signal,
      environment,
    });
    // Throws if the output could not be written.
    controller.signal.throwIfAborted();
    return code;
  } catch (error) {
    return await handleError(error, command, asJson, session);
  }
}

/** Reports an error, and returns the exit code. */
async function handleError(
  error: unknown,
  command: Command | undefined,
  asJson: boolean,
  { controller, terminal }: Session,
): Promise<number> {
  // After an abort, every error is a consequence of it.
  const cause = controller.signal.aborted ? controller.signal.reason : error;
  if (cause instanceof OutputClosedError) return 0;
  await reportError(cause, terminal, asJson);
  if (cause instanceof UsageError && command !== undefined) terminal.say(`\n${usageOf(command).trimEnd()}`);
  return exitCodeOf(cause);
}
