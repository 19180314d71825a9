import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../../files/remove.ts';
import type { Restrictions } from '../messages.ts';
import { makeScratch } from '../scratch.ts';
import { createCompileCache } from './compile-cache.ts';
import { coverInherited, type Descriptor } from './inherited.ts';
import type { ChildLimits } from './limits.ts';
import { createSandbox, typeStripping } from './sandbox.ts';
import type { Probe } from './tools.ts';
import { childUser } from './users.ts';
import { engineProgram, visibleCode } from './visible.ts';
import { Workspace } from './workspace.ts';

/** What children are launched with. */
export interface LauncherOptions {
  readonly limits: ChildLimits;
  /**
   * An existing folder, by its absolute path, for their workspaces and for what the launcher itself keeps; on the file
   * system of the tasks' files. Default: a temporary one.
   */
  readonly directory?: string;
  /** Whether children may use `node:ffi`; default: wherever this Node has it. */
  readonly ffi?: boolean;
  /** Tries out what the system allows; default: really. */
  readonly probe?: Probe;
}

/** How one child is to be started. */
export interface Launch {
  /** Its command line, confined. */
  readonly command: readonly string[];
  /** The folder that it starts in. */
  readonly directory: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it has a process namespace. */
  readonly ownProcesses: boolean;
  /** What it gets for descriptors beyond its pipes. */
  readonly descriptors: readonly Descriptor[];
  /** Its own folders, to be removed by the caller. */
  readonly workspace: Workspace;
  /** To be called when it has loaded its code, before it gets anything to read. */
  onLoaded(): void;
}

/** Prepares children: each with a workspace, and confined to that and to its code. */
export interface Launcher {
  /**
   * Prepares the start of a program of the engine.
   *
   * @param name Its path below the engine's folder, without ending.
   * @param args Its arguments; `parent` is the process id that the service has as its parent, 0 where it cannot see it.
   */
  launch(name: string, args: (parent: number) => readonly string[]): Launch;
  /** The layers of isolation that are missing, as `layer: what that means`, given how far children restrict themselves. */
  missing(restrictions: Restrictions): readonly string[];
  /** Removes what it keeps for itself. */
  close(): Promise<void>;
}

/** Options of Node for children. */
const nodeOptions = [...typeStripping, '--max-old-space-size=512'];

/**
 * What children have in their environment: nothing of the service's. Each arena of the C library reserves 64 MiB. OpenSSL
 * does without a configuration that does not exist, but not without one that it may not read.
 */
const environment = { MALLOC_ARENA_MAX: '2', OPENSSL_CONF: '/nonexistent' } as const;

function makeOwn(directory: string): string {
  return mkdtempSync(join(directory, 'engine-'));
}

/** Finds out how children can be confined on this system; see {@link createSandbox} for what that takes. */
export function createLauncher(options: LauncherOptions): Launcher {
  const scratch = options.directory === undefined ? makeScratch('millrace-engine-') : makeOwn(options.directory);
  const parent = options.directory ?? join(scratch, 'workspaces');
  const empty = join(scratch, 'empty');
  for (const path of [parent, empty]) mkdirSync(path, { recursive: true });
  const code = visibleCode([parent, process.cwd()]);
  const sandbox = createSandbox({ ...options, scratch, parent, code });
  const cache = createCompileCache(scratch);
  const descriptors = coverInherited();
  // Services in several containers may count their users' processes together: they begin at different ones.
  let launched = randomInt(2 ** 16);
  return {
    launch(name, args) {
      const user = sandbox.ownUsers ? childUser(launched) : undefined;
      launched += 1;
      const workspace = new Workspace(parent, user);
      const compiled = cache.folderFor(user);
      const files = {
        code: compiled.writable ? code : [...code, ...compiled.folders],
        readable: [workspace.inputs],
        writable: [workspace.outputs, ...(compiled.writable ? compiled.folders : [])],
      };
      const program = [...nodeOptions, engineProgram(name), ...args(sandbox.ownProcesses ? 0 : process.pid)];
      return {
        command: sandbox.command(program, files, user),
        directory: empty,
        env: { ...environment, NODE_COMPILE_CACHE: compiled.path },
        ownProcesses: sandbox.ownProcesses,
        descriptors,
        workspace,
        onLoaded: () => {
          if (compiled.writable) cache.keep(compiled.path);
        },
      };
    },
    missing: sandbox.missing,
    close: () => removeTree(scratch),
  };
}
