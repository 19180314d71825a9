import { closeSync, openSync, statSync } from 'node:fs';
import {
  accessRules,
  landlockCalls as calls,
  fileRights,
  networkRights,
  O_PATH,
  pathBeneath,
  rightsByVersion,
  scopeFlags,
  unsupportedErrors,
  versionFlag,
} from './landlock-rules.ts';
import { mustCall, systemCall } from './libc.ts';
import type { VisibleFiles } from './visible-files.ts';

const unsupportedNames: ReadonlySet<string> = new Set(unsupportedErrors);

/**
 * Restricts the calling thread, and every program that it becomes, to `files`. If the kernel supports it, also denies TCP,
 * abstract unix sockets and signals to processes outside. Needs `no_new_privs`.
 *
 * @returns The kernel's version of Landlock; 0 if it has none or it is turned off.
 * @throws Error if the kernel has Landlock but a call fails.
 */
export function restrictFiles(files: VisibleFiles): number {
  const versionResult = systemCall(calls.createRuleset, 0, 0, versionFlag);
  if ('error' in versionResult) {
    if (unsupportedNames.has(versionResult.error)) return 0;
    throw new Error(`landlock_create_ruleset failed: ${versionResult.error}`);
  }
  const version = versionResult.value;
  const handledAccess = rightsByVersion[Math.min(version, rightsByVersion.length - 1)] ?? 0;
  const ruleset = mustCall(
    'landlock_create_ruleset',
    calls.createRuleset,
    ...rulesetAttributes(version, handledAccess),
    0,
  );
  for (const { path, allowedAccess } of accessRules(files)) allowBeneath(ruleset, path, allowedAccess & handledAccess);
  mustCall('landlock_restrict_self', calls.restrictSelf, ruleset, 0);
  closeSync(ruleset);
  return version;
}

/** `struct landlock_ruleset_attr` with the fields that the version knows, and its length. */
function rulesetAttributes(version: number, handledAccess: number): [Buffer, number] {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(handledAccess), 0);
  attributes.writeBigUInt64LE(BigInt(networkRights), 8);
  attributes.writeBigUInt64LE(BigInt(scopeFlags), 16);
  return [attributes, version >= 6 ? 24 : version >= 4 ? 16 : 8];
}

function allowBeneath(ruleset: number, path: string, allowedAccess: number): void {
  const parent = openSync(path, O_PATH);
  try {
    // `struct landlock_path_beneath_attr` is packed.
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(BigInt(statSync(path).isDirectory() ? allowedAccess : allowedAccess & fileRights), 0);
    rule.writeInt32LE(parent, 8);
    mustCall(`landlock_add_rule for ${path}`, calls.addRule, ruleset, pathBeneath, rule, 0);
  } finally {
    closeSync(parent);
  }
}
