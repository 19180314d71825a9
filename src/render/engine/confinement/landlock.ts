import { closeSync, openSync, statSync } from 'node:fs';
import type { VisibleFiles } from '../sandbox/visible.ts';
import { mustCall, systemCall } from './libc.ts';

/**
 * Landlock, https://docs.kernel.org/userspace-api/landlock.html (read 2026-11-22): numbers of system calls, which are
 * the same on every architecture, and of access rights by the version of the interface (ABI) that brought them.
 */
const calls = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;
const versionFlag = 1;
const pathBeneath = 1;

const rights = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  /** Renaming needs it, as Node does in its compile cache. The system call filter denies it later. */
  removeFile: 1 << 5,
  makeFile: 1 << 8,
  truncate: 1 << 14,
} as const;

/** All rights of files and folders that each version knows, as a mask: the last bit is `ioctl` on devices. */
const allRights = [0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff] as const;
/** Binding and connecting TCP sockets (ABI 4). */
const networkRights = 0b11;
/** Connecting to abstract unix sockets and signalling processes outside (ABI 6). */
const scopes = 0b11;

/** Errors that mean: not in this kernel, turned off, or blocked by a container that does not know the call. */
const missing = new Set(['ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM']);

/** Opens a path without access to its content, open(2). `node:fs` does not have this constant. */
const O_PATH = 0o10000000;

/**
 * Restricts the calling thread, and every program that it becomes, to `files`. If the kernel supports it, also denies TCP,
 * abstract unix sockets and signals to processes outside. Needs `no_new_privs`.
 *
 * @returns The kernel's version of Landlock; 0 if it has none or it is turned off.
 * @throws Error if the kernel has Landlock but a call fails.
 */
export function restrictFiles(files: VisibleFiles): number {
  const found = systemCall(calls.createRuleset, 0, 0, versionFlag);
  if ('error' in found) {
    if (missing.has(found.error)) return 0;
    throw new Error(`landlock_create_ruleset failed: ${found.error}`);
  }
  const version = found.value;
  const handled = allRights[Math.min(version, allRights.length - 1)] ?? 0;
  const ruleset = mustCall('landlock_create_ruleset', calls.createRuleset, ...rulesetOf(version, handled), 0);
  const allow = (paths: readonly string[], allowed: number) => {
    for (const path of paths) allowBeneath(ruleset, path, allowed & handled);
  };
  const { execute, readFile, readFolder, writeFile, truncate, makeFile, removeFile } = rights;
  const read = readFile | readFolder;
  allow(files.code, read | execute);
  allow(files.readable, read);
  allow(files.writable, read | writeFile | truncate | makeFile | removeFile);
  mustCall('landlock_restrict_self', calls.restrictSelf, ruleset, 0);
  closeSync(ruleset);
  return version;
}

/** `struct landlock_ruleset_attr` with the fields that the version knows, and its length. */
function rulesetOf(version: number, handled: number): [Buffer, number] {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(handled), 0);
  attributes.writeBigUInt64LE(BigInt(networkRights), 8);
  attributes.writeBigUInt64LE(BigInt(scopes), 16);
  return [attributes, version >= 6 ? 24 : version >= 4 ? 16 : 8];
}

function allowBeneath(ruleset: number, path: string, allowed: number): void {
  const parent = openSync(path, O_PATH);
  try {
    const ofFiles = rights.execute | rights.writeFile | rights.readFile | rights.truncate;
    // `struct landlock_path_beneath_attr` is packed.
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(BigInt(statSync(path).isDirectory() ? allowed : allowed & ofFiles), 0);
    rule.writeInt32LE(parent, 8);
    mustCall(`landlock_add_rule for ${path}`, calls.addRule, ruleset, pathBeneath, rule, 0);
  } finally {
    closeSync(parent);
  }
}
