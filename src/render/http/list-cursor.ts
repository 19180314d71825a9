import { invalidCursorError } from '../../contract/render-api/job-list-query.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { ListPosition } from '../jobs/list-jobs.ts';

/** Seals a position in a list of jobs, so that callers can neither read nor forge it. */
export function sealCursor(sealer: Sealer, { createdAt, id }: ListPosition): string {
  return sealer.seal('job-list-cursor', [createdAt, id]);
}

/**
 * Opens a cursor from {@link sealCursor}.
 *
 * @throws MillraceError `invalid_params`
 */
export function openCursor(sealer: Sealer, cursor: string): ListPosition {
  // Only sealCursor() seals for this purpose.
  const content = sealer.open('job-list-cursor', cursor) as readonly [string, string] | undefined;
  if (content === undefined) throw invalidCursorError();
  const [createdAt, id] = content;
  return { createdAt, id };
}
