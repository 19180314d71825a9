import { isExternal } from '../build/external.ts';

/** The parts of `package-lock.json` that tell which packages need which. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly link?: boolean;
}

/** Its JavaScript is in the bundles, which load only its binary from `node_modules`. */
const ENGINE = 'node-av';

/**
 * Returns the folders of the packages that the code in `dist` loads from `node_modules`, with everything that these
 * packages depend on. The bundles contain the code of all others.
 */
export function loadedPackages({ packages }: Lock): ReadonlySet<string> {
  const loaded = new Set<string>();
  const add = (name: string, from: string) => {
    const folder = installedFolder(packages, name, from);
    if (folder === undefined || loaded.has(folder)) return;
    loaded.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = packages[folder] ?? {};
    const needed = name === ENGINE ? optionalDependencies : { ...dependencies, ...optionalDependencies };
    for (const dependency of Object.keys(needed)) add(dependency, folder);
  };
  const own = Object.keys(packages['']?.dependencies ?? {});
  for (const name of own.filter((one) => one === ENGINE || isExternal(one))) add(name, '');
  return loaded;
}

/** Returns the folder of the package that `from` loads as `name`, as Node finds it; undefined if npm installs none. */
function installedFolder(packages: Lock['packages'], name: string, from: string): string | undefined {
  const folder = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[folder] !== undefined) return packages[folder].link === true ? undefined : folder;
  if (from === '') return undefined;
  const parent = from.lastIndexOf('node_modules/');
  return installedFolder(packages, name, from.slice(0, Math.max(parent - 1, 0)));
}
