import { dirname } from 'node:path';
import type { Import } from './read-imports.ts';

/** Returns a sentence for each import cycle among the folders of any folder below `src/` or `packages/`. */
export function findFolderCycles(imports: readonly Import[]): string[] {
  const folders = new Set(imports.flatMap(({ from }) => foldersAround(from)));
  // The table of layers covers the folders of src/ itself.
  return [...folders]
    .filter((folder) => folder !== 'src')
    .toSorted()
    .flatMap((folder) => cyclesIn(folder, imports));
}

function cyclesIn(folder: string, imports: readonly Import[]): string[] {
  const edges = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const [from, to] = [childOf(folder, one.from), childOf(folder, one.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const targets = edges.get(from) ?? new Map<string, Import>();
    edges.set(from, targets.set(to, targets.get(to) ?? one));
  }
  return findCycles(edges).map((path) => {
    const examples = path.slice(1).map((to, index) => {
      const example = edges.get(path[index] ?? '')?.get(to);
      return `${example?.from} imports ${example?.to}`;
    });
    return `${folder}: ${path.join(' → ')} (${examples.join('; ')})`;
  });
}

/** Returns every folder that a file is in, at any depth. */
function foldersAround(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAround(folder)];
}

/** Returns the folder directly below `folder` that a file is in; undefined for a file of `folder` itself. */
function childOf(folder: string, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const [child, rest] = file.slice(folder.length + 1).split('/');
  return rest === undefined ? undefined : child;
}

/** Searches depth first. Returns one cycle for each edge that leads back to a folder on the current path. */
function findCycles(edges: ReadonlyMap<string, ReadonlyMap<string, Import>>): string[][] {
  const paths: string[][] = [];
  const visited = new Set<string>();
  const visit = (node: string, path: readonly string[]) => {
    const start = path.indexOf(node);
    if (start !== -1) paths.push([...path.slice(start), node]);
    if (start !== -1 || visited.has(node)) return;
    for (const next of edges.get(node)?.keys() ?? []) visit(next, [...path, node]);
    visited.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return paths;
}
