import type { Node } from 'oxc-parser';

const testFunctions = new Set(['describe', 'it', 'test']);

/** Returns the title of a test or a group of tests if a node is the call that declares it (`test`, `test.each(…)`). */
export function testTitle(node: Node): Node | undefined {
  return node.type === 'CallExpression' && isTest(node.callee) ? node.arguments[0] : undefined;
}

function isTest(callee: Node): boolean {
  if (callee.type === 'Identifier') return testFunctions.has(callee.name);
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  if (callee.type === 'CallExpression') return isTest(callee.callee);
  return callee.type === 'TaggedTemplateExpression' && isTest(callee.tag);
}
