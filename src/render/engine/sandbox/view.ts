import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findTool } from './tools.ts';
import { isWithin, type VisibleFiles } from './visible.ts';

/** The system tools that build a view. */
const toolNames = ['mount', 'umount', 'pivot_root', 'mkdir', 'ln', 'setpriv'] as const;

/** Absolute paths of the system tools that build a view. */
export type ViewTools = Readonly<Record<(typeof toolNames)[number], string>>;

/** Finds the tools that build a view; `undefined` if one is not installed. */
export function findViewTools(): ViewTools | undefined {
  const found = toolNames.map((name) => [name, findTool(name)] as const);
  if (found.some(([, path]) => path === undefined)) return undefined;
  return Object.fromEntries(found) as ViewTools;
}

/**
 * Lines of a shell script that replaces the file system of its mount namespace with a view of `files`, each at its own
 * path, and `programs`. Nothing else is reachable: no other paths, devices, /proc, /dev/shm or sockets. Only
 * `files.writable` and `files.caches` can be written.
 *
 * @param root An empty folder, on which the view is mounted. Any number of namespaces can use it at once.
 * @param programs System programs that start the child.
 */
export function viewScript(root: string, files: VisibleFiles, tools: ViewTools, programs: readonly string[]): string[] {
  const entries = [
    ...[...files.code, ...programs].map((path) => entryOf(path, files.code, 'bind,ro,nosuid,nodev')),
    ...files.readable.map((path) => entryOf(path, [], 'bind,ro,nosuid,nodev,noexec')),
    ...[...files.writable, ...(files.caches ?? [])].map((path) => entryOf(path, [], 'bind,nosuid,nodev,noexec')),
  ];
  const inside = (path: string) => quote(`.${path}`);
  const folders = new Set(entries.map(({ kind, path }) => inside(kind === 'folder' ? path : dirname(path))));
  const mounts = [
    ...entries.flatMap(({ kind, path, options }) => (kind === 'link' ? [] : [mountLine(path, root + path, options)])),
    // umount(8) looks up mounts there; it removes this one last.
    mountLine('/proc', join(root, 'proc'), 'rbind'),
  ];
  return [
    'set -e',
    `cd ${quote(root)}`,
    `${tools.mount} -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs .`,
    `cd ${quote(root)}`,
    `${tools.mkdir} -p old proc ${[...folders].join(' ')}`,
    ...entries.flatMap(({ kind, path }) => (kind === 'file' ? [`: > ${inside(path)}`] : [])),
    ...entries.flatMap(({ kind, path }) =>
      kind === 'link' ? [`${tools.ln} -s ${quote(readlinkSync(path))} ${inside(path)}`] : [],
    ),
    // One process for all mounts: starting one for each would take longer than the mounts.
    `printf '%s\\n' ${mounts.map(quote).join(' ')} > mounts`,
    `${tools.mount} -a -T mounts`,
    `${tools.mount} -o remount,bind,ro,nosuid,nodev .`,
    `${tools.pivot_root} . old`,
    'cd /',
    `/old${tools.umount} -l /old /proc`,
  ];
}

interface Entry {
  readonly kind: 'file' | 'folder' | 'link';
  readonly path: string;
  readonly options: string;
}

/** A link to something visible stays a link, such as /lib on most systems; other links become their target. */
function entryOf(path: string, visible: readonly string[], options: string): Entry {
  if (lstatSync(path).isSymbolicLink()) {
    const target = realpathSync(path);
    if (visible.some((other) => other !== path && isWithin(target, other))) return { kind: 'link', path, options };
  }
  return { kind: statSync(path).isDirectory() ? 'folder' : 'file', path, options };
}

/** A line of fstab(5), which writes white space as octal numbers. */
function mountLine(from: string, to: string, options: string): string {
  return `${escaped(from)} ${escaped(to)} none ${options} 0 0`;
}

function escaped(path: string): string {
  return path.replace(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
