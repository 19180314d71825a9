import { addMembers } from '../testing.ts';
import { under } from './youtube/testing.ts';

/** Every member below the values that stand under a name, as the two names that lead to it: depth does not matter. */
export function edgesOf(answers: readonly unknown[], node: string): Set<string> {
  const found = new Set<string>();
  for (const value of under(answers, node)) addMembers(value, node, found);
  return found;
}
