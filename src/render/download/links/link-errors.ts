import { MillraceError } from '../../../contract/errors.ts';
import { firstSentence } from '../first-sentence.ts';
import { LinkRefused } from './source-link.ts';

/** Returns a platform's refusal of an item as the error of an input, with the platform's code and words. */
export function withInputNumber(error: MillraceError, index: number): MillraceError {
  const { code, status, retryable, reason, detail } = error;
  return new MillraceError(code, `Input ${index + 1}: ${error.message}`, {
    cause: error,
    input: index,
    status,
    retryable,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Returns the error of a refused link whose platform could not be asked for another. */
export function noFreshLink(refusal: LinkRefused, failure: unknown): MillraceError {
  const reason = failure instanceof MillraceError ? `: ${withoutEnd(failure.message)}` : '';
  return unreplaced(refusal, `no new link could be requested${reason}`, failure);
}

/** Returns the error of a refused link to a representation that its platform no longer offers. */
export function representationGone(refusal: LinkRefused): MillraceError {
  return unreplaced(refusal, 'the platform no longer offers the same file', refusal);
}

function unreplaced(refusal: LinkRefused, why: string, cause: unknown): MillraceError {
  const message = `${withoutEnd(refusal.message)}, and ${why}. Request new source links and start the job again.`;
  return new MillraceError(refusal.code, message, { cause });
}

function withoutEnd(message: string): string {
  return firstSentence(message).replace(/\.$/, '');
}

/** Returns the error of a link that expired before it was requested. */
export function expiredLink(index: number): LinkRefused {
  const message = `Input ${index + 1}: the link has expired. Request new source links and start the job again.`;
  return new LinkRefused(410, message);
}
