import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../../files/remove-tree.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../../files/temporary-folder.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import { visibleCode } from '../self-restriction/visible-files.ts';
import { childUser } from './child-users.ts';
import { type Descriptor, maskInheritedDescriptors } from './inherited-descriptors.ts';
import type { ChildLimits } from './resource-limits.ts';
import { createSandbox } from './sandbox.ts';
import type { Probe } from './system-tools.ts';
import { Workspace } from './workspace.ts';

/** Options of a launcher. */
interface LauncherOptions {
  readonly limits: ChildLimits;
  /**
   * Absolute path of an existing folder for workspaces and the launcher's own files, on the file system of the tasks'
   * files. Default: a temporary folder.
   */
  readonly directory?: string;
  /** Absolute paths of code that children run in addition to the engine's own code; default: none. */
  readonly code?: readonly string[];
  /** Whether children may use `node:ffi`; default: true if this Node version has it. */
  readonly ffi?: boolean;
  /** Tests what the system allows; default: by running commands. */
  readonly probe?: Probe;
}

/** How to start one child. */
export interface Launch {
  /** Its command line, including the confinement. */
  readonly command: readonly string[];
  /** The folder that it starts in. */
  readonly directory: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it has a process namespace. */
  readonly processNamespace: boolean;
  /** Its descriptors beyond the pipes. */
  readonly descriptors: readonly Descriptor[];
  /** Its own folders; the caller removes them. */
  readonly workspace: Workspace;
}

/** Prepares children, each confined to its own workspace and its code. */
export interface Launcher {
  /**
   * Prepares the start of a program.
   *
   * @param program Its absolute path.
   * @param args Its arguments. `parent` is the service's process ID, or 0 if the child cannot see it.
   */
  launch(program: string, args: (parent: number) => readonly string[]): Launch;
  /** The missing isolation layers, as `layer: consequence`, given the restrictions that children report. */
  missingLayers(restrictions: Restrictions): readonly string[];
  /** Removes the launcher's own files. */
  close(): Promise<void>;
}

/** Options of Node for children. */
const nodeOptions = ['--max-old-space-size=512'];

/**
 * The environment of children, which contains nothing from the service's environment. Each arena of the C library
 * reserves 64 MiB. OpenSSL starts if its configuration does not exist, but not if the configuration exists and is
 * unreadable. SVT-AV1 would describe itself on the standard error output for each file, and logs only errors now.
 */
const environment = { MALLOC_ARENA_MAX: '2', OPENSSL_CONF: '/nonexistent', SVT_LOG: '1' } as const;

/** Creates a folder for the launcher inside a folder that only this process uses. */
function makeOwnFolder(directory: string): TemporaryFolder {
  const path = mkdtempSync(join(directory, 'engine-'));
  return { path, remove: () => removeTree(path) };
}

/** Determines how children can be confined on this system; see {@link createSandbox}. */
export async function createLauncher(options: LauncherOptions): Promise<Launcher> {
  const ownFolder =
    options.directory === undefined ? makeTemporaryFolder('millrace-engine-') : makeOwnFolder(options.directory);
  const scratch = ownFolder.path;
  const parent = options.directory ?? join(scratch, 'workspaces');
  const emptyFolder = join(scratch, 'empty');
  for (const path of [parent, emptyFolder]) mkdirSync(path, { recursive: true });
  const code = [...visibleCode([parent, process.cwd()]), ...(options.code ?? [])];
  const sandbox = await createSandbox({ ...options, scratch, parent, code });
  const descriptorMask = maskInheritedDescriptors();
  // The processes of one user may count together across several containers, so each service starts at a random user.
  let launchCount = randomInt(2 ** 16);
  return {
    launch(program, args) {
      const user = sandbox.ownUsers ? childUser(launchCount) : undefined;
      launchCount += 1;
      const workspace = new Workspace(parent, user);
      const files = {
        code,
        readable: [workspace.inputs],
        writable: [workspace.outputs],
      };
      const nodeArguments = [...nodeOptions, program, ...args(sandbox.processNamespace ? 0 : process.pid)];
      return {
        command: sandbox.command(nodeArguments, files, user),
        directory: emptyFolder,
        env: environment,
        processNamespace: sandbox.processNamespace,
        descriptors: descriptorMask.descriptors,
        workspace,
      };
    },
    missingLayers: sandbox.missingLayers,
    async close() {
      descriptorMask.close();
      await ownFolder.remove();
    },
  };
}
