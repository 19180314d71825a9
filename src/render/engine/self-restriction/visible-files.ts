import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../../files/package-files.ts';

/** Everything that a child can see of the file system, by absolute path. Other paths do not exist for it. */
export interface VisibleFiles {
  /** Files and folders that it may read and execute. */
  readonly code: readonly string[];
  /** Folders that it may read. */
  readonly readable: readonly string[];
  /** Folders in which it may read and write plain files. */
  readonly writable: readonly string[];
}

/** Where systems keep shared libraries (Filesystem Hierarchy Standard 3.0, section 4.7; /nix/store for NixOS). */
const libraries = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/lib', '/lib32', '/lib64', '/usr/local/lib', '/nix/store'];

/** The cache of the dynamic linker, ld.so(8). Without it, the linker searches its default folders only. */
const linkerCache = '/etc/ld.so.cache';

/** The package's folder. */
const root = resolve(fileURLToPath(packageFile('.')));
/** The engine's built programs: all of the package's code that children can see. */
const programs = join(root, 'dist/engine');

/**
 * The code that every child runs: Node, shared libraries, the engine's programs and packages. None of it is secret.
 * The folder of the project itself, which may hold `.env` and the data directory, is not included.
 *
 * @param hidden Further folders to exclude, even if they are below a library folder.
 */
export function visibleCode(hidden: readonly string[] = []): string[] {
  const packages = [root, ...ancestorsOf(root)].map((folder) => join(folder, 'node_modules'));
  // The manifest declares that the programs are ECMAScript modules.
  const manifest = join(root, 'package.json');
  const secret = [root, ...hidden];
  const system = [...libraries, linkerCache]
    .filter((path) => existsSync(path))
    .flatMap((path) => excludeHidden(path, secret));
  const own = [programs, manifest, ...packages, process.execPath].filter((path) => existsSync(path));
  return outermost([...system, ...own]);
}

/** Returns the folder. If a hidden folder is below it, returns everything in it except that folder. */
function excludeHidden(path: string, hidden: readonly string[]): string[] {
  const real = realpathSync(path);
  const below = hidden.filter((each) => isWithin(realpathSync(each), real));
  if (below.length === 0) return [path];
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter((each) => existsSync(each) && !below.some((secret) => realpathSync(secret) === realpathSync(each)))
    .flatMap((each) => excludeHidden(each, below));
}

/** Whether every user may read these paths. The contents of a folder are assumed to have the folder's mode. */
export function isWorldReadable(paths: readonly string[]): boolean {
  return paths.every((path) => {
    const status = statSync(path);
    const requiredMode = status.isDirectory() ? 0o005 : 0o004;
    return (status.mode & requiredMode) === requiredMode;
  });
}

/** Returns the path of a program of the engine by its name. scripts/build/build.ts lists the programs. */
export function engineProgram(name: 'child' | 'launch'): string {
  return join(programs, `${name}.js`);
}

/** Whether a path is `folder` or below it. Compares text and does not resolve links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...ancestorsOf(parent)];
}
