import { MillraceApiError, MillraceClientError, MillraceNetworkError, MillraceRenderError } from '#client/errors.ts';
import { listAt } from '#client/read-members.ts';
import { StartError } from '../../contract/start-error.ts';
import { sanitiseJson, sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CommandError } from './command-errors.ts';
import { exitCodeOf } from './exit-codes.ts';

/**
 * Names of errors whose messages need no further explanation. Names are compared because importing the classes would
 * load their modules.
 */
const expectedErrors = new Set(['UsageError', 'AdminError', 'InterruptedError']);

/** Prints an error and hints for people. */
export function printError(error: unknown, terminal: Terminal): void {
  for (const line of errorLines(error)) terminal.say(line);
  const id = requestIdOf(error);
  if (id !== undefined) terminal.say(indent(`Request ID: ${id}`));
}

/** Returns an error as one line of JSON, for programs. */
export function errorJson(error: unknown): string {
  return sanitiseJson(errorFacts(error));
}

/** Returns an error as an object for programs. */
export function errorFacts(error: unknown): { readonly error: object; readonly exitCode: number } {
  const [message = '', ...hints] = errorLines(error);
  return {
    error: { message, ...codeOf(error), requestId: requestIdOf(error), ...(hints.length === 0 ? {} : { hints }) },
    exitCode: exitCodeOf(error),
  };
}

/** Returns the ID with which the operator of the service finds the request of an error in the log. */
function requestIdOf(error: unknown): string | undefined {
  return error instanceof MillraceApiError || error instanceof MillraceRenderError ? error.requestId : undefined;
}

function codeOf(error: unknown): object {
  if (error instanceof MillraceApiError) return { code: error.code };
  if (!(error instanceof MillraceRenderError)) return {};
  return { code: error.code, ...(error.input === null ? {} : { input: error.input }) };
}

/** Returns an error as lines for people: the message, then hints. */
export function errorLines(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof MillraceApiError) return [sanitiseLine(error.message), ...hintsOf(error)];
  if (error instanceof MillraceNetworkError && error.fault === 'unreachable') {
    return [sanitiseLine(error.message), indent('Is the service running? --service or MILLRACE_URL sets its address.')];
  }
  // These messages may contain a platform's text, which must stay on one line.
  if (error instanceof MillraceClientError || error instanceof CommandError) return [sanitiseLine(error.message)];
  if (error instanceof StartError || expectedErrors.has(error.name)) return error.message.split('\n');
  return ['This is a bug in Millrace. Please report it:', ...(error.stack ?? error.message).split('\n')];
}

function hintsOf({ code, reason, fields, retryAfter, retryable, detail, message }: MillraceApiError): string[] {
  const countries = textsAt(detail, 'allowedCountries');
  return [
    ...(fields ?? []).map(({ path, message: what }) => `${path}: ${what}`),
    ...(reason === undefined || message.includes(reason) ? [] : [`The platform says: ${reason}`]),
    ...(countries.length > 0 ? [`Available in ${countries.join(', ')} (--country).`] : []),
    ...(code === 'invalid_user_details' ? ['The key is read from MILLRACE_KEY, MILLRACE_KEY_FILE or --key-file.'] : []),
    ...(code === 'unauthorized'
      ? ['The key is read from MILLRACE_RENDER_KEY, MILLRACE_RENDER_KEY_FILE or --key-file.']
      : []),
    ...(retryable ? [retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`] : []),
  ].map(indent);
}

/** Returns the texts of a list; the service guarantees no type for the details of its errors. */
function textsAt(detail: MillraceApiError['detail'], name: string): readonly string[] {
  return listAt(detail, name).filter((value) => typeof value === 'string');
}

/** Formats a hint as one line below the message. */
function indent(line: string): string {
  return `  ${sanitiseLine(line)}`;
}
