import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin, type VisibleFiles } from '../self-restriction/visible-files.ts';
import { findTool, shellQuote } from './system-tools.ts';

/** The system tools that build a view. */
const toolNames = ['mount', 'umount', 'pivot_root', 'mkdir', 'ln', 'setpriv'] as const;

/** Absolute paths of the system tools that build a view. */
export type ViewTools = Readonly<Record<(typeof toolNames)[number], string>>;

/** Finds the tools that build a view; `undefined` if one is not installed. */
export function findViewTools(): ViewTools | undefined {
  const tools = toolNames.map((name) => [name, findTool(name)] as const);
  if (tools.some(([, path]) => path === undefined)) return undefined;
  return Object.fromEntries(tools) as ViewTools;
}

/** A path of a view. */
export interface ViewEntry {
  readonly kind: 'file' | 'folder' | 'link';
  readonly path: string;
  /** Mount options; empty for a link. */
  readonly options: readonly ('ro' | 'nosuid' | 'nodev' | 'noexec')[];
  /** Target of a link. */
  readonly target?: string;
}

/**
 * Returns the entries of a view: `files` and `programs`, each at its own path. Only `files.writable` can be written.
 *
 * @param programs System programs that start the child.
 */
export function viewEntries(files: VisibleFiles, programs: readonly string[]): ViewEntry[] {
  return [
    ...[...files.code, ...programs].map((path) => entryOf(path, files.code, ['ro', 'nosuid', 'nodev'])),
    ...files.readable.map((path) => entryOf(path, [], ['ro', 'nosuid', 'nodev', 'noexec'])),
    ...files.writable.map((path) => entryOf(path, [], ['nosuid', 'nodev', 'noexec'])),
  ];
}

/**
 * Returns the lines of a shell script that replaces the file system of its mount namespace with a view. Nothing else is
 * reachable: no other paths, devices, /proc, /dev/shm or sockets.
 *
 * @param root An empty folder, on which the view is mounted. Several namespaces can use it concurrently.
 */
export function viewScript(root: string, entries: readonly ViewEntry[], tools: ViewTools): string[] {
  const inside = (path: string) => shellQuote(`.${path}`);
  const folders = new Set(entries.map(({ kind, path }) => inside(kind === 'folder' ? path : dirname(path))));
  const mounts = [
    ...entries.flatMap(({ kind, path, options }) =>
      kind === 'link' ? [] : [mountLine(path, root + path, ['bind', ...options].join(','))],
    ),
    // umount(8) looks up mounts in /proc, so /proc is removed last.
    mountLine('/proc', join(root, 'proc'), 'rbind'),
  ];
  return [
    `cd ${shellQuote(root)}`,
    `${tools.mount} -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs .`,
    `cd ${shellQuote(root)}`,
    `${tools.mkdir} -p old proc ${[...folders].join(' ')}`,
    ...entries.flatMap(({ kind, path }) => (kind === 'file' ? [`: > ${inside(path)}`] : [])),
    ...entries.flatMap(({ target, path }) =>
      target === undefined ? [] : [`${tools.ln} -s ${shellQuote(target)} ${inside(path)}`],
    ),
    // One process does all mounts: starting a process for each mount would take longer than the mounts themselves.
    `printf '%s\\n' ${mounts.map(shellQuote).join(' ')} > mounts`,
    `${tools.mount} -a -T mounts`,
    `${tools.mount} -o remount,bind,ro,nosuid,nodev .`,
    `${tools.pivot_root} . old`,
    'cd /',
    `/old${tools.umount} -l /old /proc`,
  ];
}

/**
 * Returns the entry of a path. A link to something visible stays a link (/lib is one on most systems); other links
 * become their target.
 */
function entryOf(path: string, visible: readonly string[], options: ViewEntry['options']): ViewEntry {
  if (lstatSync(path).isSymbolicLink()) {
    const target = realpathSync(path);
    if (visible.some((other) => other !== path && isWithin(target, other)))
      return { kind: 'link', path, options, target: readlinkSync(path) };
  }
  return { kind: statSync(path).isDirectory() ? 'folder' : 'file', path, options };
}

/** Returns a line of fstab(5), in which white space is escaped as octal numbers. */
function mountLine(from: string, to: string, options: string): string {
  return `${escapeWhitespace(from)} ${escapeWhitespace(to)} none ${options} 0 0`;
}

function escapeWhitespace(path: string): string {
  return path.replace(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
