import type { Import } from './imports.ts';

/** Returns a sentence for each import of a room that does not stand below the importing one. */
export function upwardImports(imports: readonly Import[], layers: readonly string[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const above = roomOf(from);
    const below = roomOf(to);
    if (above === undefined || below === undefined || above === below) return [];
    const [rank, other] = [layers.indexOf(above), layers.indexOf(below)];
    if (rank === -1) return [`${from}: the room ${above} has no place in scripts/layers/layers.ts`];
    if (other === -1) return [`${to}: the room ${below} has no place in scripts/layers/layers.ts`];
    return other < rank ? [] : [`${from} imports ${to}: ${below} stands above ${above}`];
  });
}

/** The room of a file: its folder in `src/`, or the file itself at the top of it. Undefined outside of `src/`. */
function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)/.exec(path)?.[1];
}

/** Returns a sentence for each circle of imports among the folders of a folder. */
export function folderCircles(imports: readonly Import[], folder: string): string[] {
  const edges = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const [from, to] = [folderOf(one.from, folder), folderOf(one.to, folder)];
    if (from === undefined || to === undefined || from === to) continue;
    const targets = edges.get(from) ?? new Map<string, Import>();
    edges.set(from, targets.set(to, targets.get(to) ?? one));
  }
  return circles(edges).map(
    (path) =>
      `${folder}: ${path.join(' → ')} (${path
        .slice(1)
        .map((to, index) => {
          const example = edges.get(path[index] ?? '')?.get(to);
          return `${example?.from} imports ${example?.to}`;
        })
        .join('; ')})`,
  );
}

/** The folder directly below `folder` that a file is in; undefined for a file of `folder` itself. */
function folderOf(path: string, folder: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [first, rest] = path.slice(folder.length + 1).split('/');
  return rest === undefined ? undefined : first;
}

/** Finds one circle for each edge that leads back to a folder on the way, depth first. */
function circles(edges: ReadonlyMap<string, ReadonlyMap<string, Import>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]) => {
    const start = way.indexOf(node);
    if (start !== -1) found.push([...way.slice(start), node]);
    if (start !== -1 || done.has(node)) return;
    for (const next of edges.get(node)?.keys() ?? []) visit(next, [...way, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}
