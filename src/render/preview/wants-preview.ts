import { MillraceError } from '../../contract/errors.ts';

/**
 * Whether a start call asks for a plan alone, by `plan=only` in its query. An empty value is none.
 *
 * @throws MillraceError `invalid_params` for any other value: a job that nobody wanted must not begin.
 */
export function wantsPlan(query: unknown): boolean {
  const plan = typeof query === 'object' && query !== null && 'plan' in query ? query.plan : undefined;
  if (plan === undefined || plan === '') return false;
  if (plan === 'only') return true;
  throw new MillraceError('invalid_params', 'plan must be "only", or absent.', { parameter: 'plan' });
}
