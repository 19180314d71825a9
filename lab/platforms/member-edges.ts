import { addMembers } from '../testing.ts';

/**
 * Every member below the values that stand under each of some names, as the two names that lead to it: depth does not
 * matter. All names are looked for at once, since recorded answers are large.
 */
export function memberEdges(responses: readonly unknown[], nodes: readonly string[]): ReadonlyMap<string, Set<string>> {
  const edgesByNode = new Map(nodes.map((node) => [node, new Set<string>()]));
  look(responses);
  return edgesByNode;

  function look(into: unknown): void {
    if (Array.isArray(into)) for (const item of into) look(item);
    else if (typeof into === 'object' && into !== null) {
      for (const [name, member] of Object.entries(into)) {
        const edges = edgesByNode.get(name);
        if (edges !== undefined) addMembers(member, name, edges);
        look(member);
      }
    }
  }
}
