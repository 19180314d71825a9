import type { Node } from 'oxc-parser';

/** Returns the nodes directly inside a node of a syntax tree, in the order of its members. */
export function childNodes(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
