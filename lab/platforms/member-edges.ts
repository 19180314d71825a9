import { addMembers } from '../testing.ts';

/**
 * Collects every member below the values of the given node names, at any depth, each with the name of its parent. It
 * looks for all names in one pass, because recorded responses are large.
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
