import { MillraceError } from '../../contract/errors.ts';

/**
 * Whether a start call asks for a preview only, by `plan=only` in its query. An empty value counts as absent.
 *
 * @throws MillraceError `invalid_params` for any other value: a job that the caller did not want must not begin.
 */
export function wantsPreview(query: unknown): boolean {
  const plan = typeof query === 'object' && query !== null && 'plan' in query ? query.plan : undefined;
  if (plan === undefined || plan === '') return false;
  if (plan === 'only') return true;
  throw new MillraceError('invalid_params', 'plan must be "only", or absent.', { parameter: 'plan' });
}
