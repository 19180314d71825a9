import type { VisibleFiles } from './visible-files.ts';

/**
 * Landlock, https://docs.kernel.org/userspace-api/landlock.html (read 2026-11-22): system call numbers, which are the
 * same on every architecture, and access rights by the interface version (ABI) that introduced them.
 */
export const landlockCalls = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;
/** The flag of `landlock_create_ruleset` that requests the version. */
export const versionFlag = 1;
/** The type of rule that applies to a file, or to everything in a folder. */
export const pathBeneath = 1;

const rights = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  makeFile: 1 << 8,
  truncate: 1 << 14,
} as const;

/** Mask of the rights that a rule for a file may have. Other rights apply only to folders. */
export const fileRights = rights.execute | rights.writeFile | rights.readFile | rights.truncate;

/** Mask of all rights of files and folders, by version: the last bit is `ioctl` on devices. */
export const rightsByVersion = [0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff] as const;
/** Binding and connecting TCP sockets (ABI 4). */
export const networkRights = 0b11;
/** Connecting to abstract unix sockets and signalling processes outside (ABI 6). */
export const scopeFlags = 0b11;

/**
 * Errors that mean that Landlock is not in this kernel, is turned off, or is blocked by a container that does not know
 * the call.
 */
export const unsupportedErrors = ['ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM'] as const;

/** Opens a path without access to its content, open(2). `node:fs` does not have this constant. */
export const O_PATH = 0o10000000;

/** The paths that a child may use, each with its rights as a mask. */
export function accessRules(files: VisibleFiles): { readonly path: string; readonly allowedAccess: number }[] {
  const { execute, readFile, readFolder, writeFile, truncate, makeFile } = rights;
  const readAccess = readFile | readFolder;
  const writeAccess = readAccess | writeFile | truncate | makeFile;
  const rule = (allowedAccess: number) => (path: string) => ({ path, allowedAccess });
  return [
    ...files.code.map(rule(readAccess | execute)),
    ...files.readable.map(rule(readAccess)),
    ...files.writable.map(rule(writeAccess)),
  ];
}
