import { MillraceError } from '../contract/errors.ts';

/**
 * Returns what the reader of a parameter finds in it, for the subjects of an endpoint: nothing if the reader refuses the
 * parameter, or if it is not a text.
 */
export function namedIn<Value>(read: (text: string) => Value, parameter: unknown): readonly Value[] {
  if (typeof parameter !== 'string') return [];
  try {
    return [read(parameter)];
  } catch (error) {
    if (error instanceof MillraceError) return [];
    throw error;
  }
}
