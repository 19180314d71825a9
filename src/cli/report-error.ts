import { MillraceApiError, MillraceClientError, MillraceNetworkError, MillraceRenderError } from '#client/errors.ts';
import { StartError } from '../contract/start-error.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Terminal } from './terminal/terminal.ts';
import { visibleJson, visibleLine } from './terminal/visible.ts';

/** An error that a command foresees: its message says all there is to say. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Names of errors whose message says everything. Importing their classes would load the modules they belong to. */
const foreseen = new Set(['UsageError', 'AdminError', 'Interrupted']);

/** Tells a person what went wrong, and what can be done. */
export function tellError(error: unknown, terminal: Terminal): void {
  for (const line of linesOf(error)) terminal.say(line);
}

/** An error as one line of JSON, for programs. */
export function errorJson(error: unknown): string {
  const [message = '', ...hints] = linesOf(error);
  return visibleJson({
    error: { message, ...codeOf(error), ...(hints.length === 0 ? {} : { hints }) },
    exitCode: exitCodeOf(error),
  });
}

function codeOf(error: unknown): object {
  if (error instanceof MillraceApiError) return { code: error.code };
  if (!(error instanceof MillraceRenderError)) return {};
  return { code: error.code, ...(error.input === null ? {} : { input: error.input }) };
}

function linesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof MillraceApiError) return [visibleLine(error.message), ...hintsOf(error)];
  if (error instanceof MillraceNetworkError && error.fault === 'unreachable') {
    return [visibleLine(error.message), indented('Does the service run? --service or MILLRACE_URL names it.')];
  }
  // What they say may be a platform's words, which stay on their line.
  if (error instanceof MillraceClientError || error instanceof CommandError) return [visibleLine(error.message)];
  if (error instanceof StartError || foreseen.has(error.name)) return error.message.split('\n');
  return ['This should not happen; please tell the authors:', ...(error.stack ?? error.message).split('\n')];
}

function hintsOf({ code, reason, fields, retryAfter, retryable, detail, message }: MillraceApiError): string[] {
  const countries = detail.allowedCountries;
  return [
    ...(fields ?? []).map(({ path, message: what }) => `${path}: ${what}`),
    ...(reason === undefined || message.includes(reason) ? [] : [`The platform says: ${reason}`]),
    ...(Array.isArray(countries) ? [`It can be had in ${countries.join(', ')} (--country).`] : []),
    ...(code === 'invalid_user_details' ? ['The key comes from MILLRACE_KEY, MILLRACE_KEY_FILE or --key-file.'] : []),
    ...(code === 'unauthorized'
      ? ['The key comes from MILLRACE_RENDER_KEY, MILLRACE_RENDER_KEY_FILE or --key-file.']
      : []),
    ...(retryable ? [retryAfter === undefined ? 'Trying again later can help.' : `Try again in ${retryAfter} s.`] : []),
  ].map(indented);
}

/** A hint, on one line below the message. */
function indented(line: string): string {
  return `  ${visibleLine(line)}`;
}
