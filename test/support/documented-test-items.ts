import { readFile } from 'node:fs/promises';

const page = await readFile(new URL('../../docs/reference/test-mode.md', import.meta.url), 'utf8');

/** An item of docs/reference/test-mode.md: its request, and the code that the request or the render ends with. */
export interface DocumentedItem {
  readonly request: string;
  readonly code: string | null;
  readonly renderCode: string | null;
}

/** Returns the cells of each row of the tables in a text, without backquotes. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `(.+) \|$/gm)].map(([, row = '']) => row.replaceAll('`', '').split(' | '));

/** The items of docs/reference/test-mode.md. */
export const items = page.split(/^(?=`\/p\d)/m).flatMap((section): DocumentedItem[] => {
  const [, endpoint] = /^`(\/p\d[^`]+=)`/.exec(section) ?? [];
  if (endpoint === undefined) return [];
  const [table = ''] = section.split(/^#/m);
  return rowsOf(table).map(([value = '', , result = '']) => {
    const [first = '', render = null] = result.split('; render: ');
    const code = first === 'succeeds' ? null : first;
    return { request: endpoint + encodeURIComponent(value), code, renderCode: render };
  });
});
const [, mediaSection = ''] = page.split('## Media for direct jobs');
/** Its media for direct jobs, with the code that a conversion ends with, or `succeeds`. */
export const media = rowsOf(mediaSection.split(/^#/m)[0] ?? '').map(([url = '', ext = '', , code = '']) => ({
  url,
  ext,
  code,
}));
