import { readFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

/** Renders the diagram of docs/architecture.md from its text. */
export async function architectureDiagram(root: URL): Promise<string> {
  const [text, viz] = await Promise.all([readFile(new URL('docs/images/architecture.dot', root), 'utf8'), instance()]);
  const title = '<title>Architecture: extraction, jobs and runs</title>';
  return viz.renderString(text, { format: 'svg' }).replace(/<svg[^>]*>/, (tag) => `${tag}\n${title}`);
}
