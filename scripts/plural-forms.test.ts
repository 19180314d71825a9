import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Node, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { childNodes } from './syntax/child-nodes.ts';

const folder = fileURLToPath(new URL('../src/web/page/language/', import.meta.url));

test.each([
  ['en', 'english', 20],
  ['de', 'german', 20],
  ['es', 'spanish', 20],
  ['fr', 'french', 20],
  ['pt-BR', 'brazilian-portuguese', 20],
  ['ja', 'japanese', 0],
])('the texts in %s have a form for each plural category of the language, or one for all', (tag, file, minimum) => {
  const path = `${folder}${file}.ts`;
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
  const forms = pluralForms(parseSync(path, readFileSync(path, 'utf8')).program).filter((names) => names.length > 1);
  expect(forms.filter((names) => `${names.toSorted()}` !== `${categories}`)).toEqual([]);
  expect(forms.length).toBeGreaterThanOrEqual(minimum);
});

/** Returns the names of the forms that each call of `plural(count, forms)` has. */
function pluralForms(node: Node): readonly (readonly string[])[] {
  const nested = childNodes(node).flatMap(pluralForms);
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'plural')
    return nested;
  const [, forms] = node.arguments;
  if (forms?.type !== 'ObjectExpression') return [['not an object'], ...nested];
  const names = forms.properties.map((one) =>
    one.type === 'Property' && one.key.type === 'Identifier' ? one.key.name : 'not a name',
  );
  return [names, ...nested];
}
