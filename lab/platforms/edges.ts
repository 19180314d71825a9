import { under } from './youtube/testing.ts';

/** Every member below the values that stand under a name, as the two names that lead to it: depth does not matter. */
export function edgesOf(answers: readonly unknown[], node: string): Set<string> {
  const found = new Set<string>();
  for (const value of under(answers, node)) addEdges(value, node, found);
  return found;
}

function addEdges(value: unknown, parent: string, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) addEdges(item, parent, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      found.add(`${parent}.${name}`);
      addEdges(member, name, found);
    }
  }
}
