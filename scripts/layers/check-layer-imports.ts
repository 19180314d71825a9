import type { Layers } from './layers.ts';
import type { Import } from './read-imports.ts';

const table = 'scripts/layers/layers.ts';

/** Returns a sentence for each import that the table of layers does not allow, and for each mistake in the table. */
export function checkLayers(imports: readonly Import[], layers: Layers): string[] {
  const names = Object.keys(layers);
  const usedEntries = new Set<string>();
  const usedLayers = new Set<string>();
  const faults = imports.flatMap(({ from, to }) => {
    const [importingLayer, importedLayer] = [layerOf(from, names), layerOf(to, names)];
    if (importingLayer === undefined) return [`${from} is in no layer of ${table}`];
    usedLayers.add(importingLayer);
    if (importedLayer === undefined) return [`${from} imports ${to}, which is in no layer of ${table}`];
    usedLayers.add(importedLayer);
    if (importingLayer === importedLayer) return [];
    const entries = (layers[importingLayer] ?? []).filter(
      (entry) => layerOf(entry, names) === importedLayer && isWithin(pathOf(to), entry),
    );
    for (const entry of entries) usedEntries.add(`${importingLayer} ${entry}`);
    return entries.length > 0 ? [] : [`${from} imports ${to}, but ${table} does not let ${importingLayer} import it`];
  });
  return [...faults, ...names.flatMap((name) => checkLayer(name))];

  function checkLayer(name: string): string[] {
    if (!usedLayers.has(name)) return [`${table} has a layer ${name}, which is empty or has no imports`];
    return (layers[name] ?? []).flatMap((entry) => {
      const layer = layerOf(entry, names);
      if (layer === undefined) return [`${table}: ${name} lists ${entry}, which is in no layer`];
      if (names.indexOf(layer) >= names.indexOf(name))
        return [`${table}: ${name} lists ${entry}, which is not below it`];
      if (!usedEntries.has(`${name} ${entry}`)) return [`${table}: ${name} lists ${entry} but imports nothing from it`];
      return [];
    });
  }
}

/** Returns the innermost layer that a path is in. */
function layerOf(path: string, layers: readonly string[]): string | undefined {
  return layers
    .filter((layer) => isWithin(pathOf(path), layer))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
}

/** Returns the path of a file as the table names it: below `src/`, or below the root for a package. */
function pathOf(path: string): string {
  return path.replace(/^src\//, '');
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
