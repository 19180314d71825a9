import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type PerlLauncher,
  perlLaunchCommand,
  perlProbeCommand,
  writePerlLauncher,
} from '../self-restriction/perl-launcher.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import { hostArchitecture } from '../self-restriction/system-calls.ts';
import { engineProgram, isWorldReadable, type VisibleFiles } from '../self-restriction/visible-files.ts';
import { childGroup } from './child-users.ts';
import { findViewTools, type ViewEntry, type ViewTools, viewEntries, viewScript } from './file-system-view.ts';
import { missingLayers } from './missing-layers.ts';
import { createPerlView } from './perl-file-system-view.ts';
import { type ChildLimits, detectResourceLimits } from './resource-limits.ts';
import { commandSucceeds, findTool, type Probe, shell } from './system-tools.ts';

/** Options of a sandbox. */
interface SandboxOptions {
  readonly limits: ChildLimits;
  /** A folder for the sandbox's own use. */
  readonly scratch: string;
  /** The parent folder of children's workspaces. */
  readonly parent: string;
  /** The code that children run. */
  readonly code: readonly string[];
  /** Whether children may use `node:ffi`; default: true if this Node version has it. */
  readonly ffi?: boolean;
  readonly probe?: Probe;
}

/** How children are confined on this system. */
interface Sandbox {
  /**
   * Returns the command line that starts a Node program already confined. Killing the process group that it starts kills
   * the program.
   *
   * @param program Arguments of Node: options, the program's path, its arguments. If `node:ffi` is used, the
   *   program gets one more argument at the end: the version of Landlock that restricts it.
   * @param user The user that the program runs as; only if {@link ownUsers}.
   */
  command(program: readonly string[], files: VisibleFiles, user?: number): readonly string[];
  /** Whether each child can run as its own user, which then needs access to the child's files. */
  readonly ownUsers: boolean;
  /** Whether each child has a process namespace, all of whose processes end when the first one is killed. */
  readonly processNamespace: boolean;
  /** The missing layers, as `layer: consequence`, given the restrictions that children report. */
  missingLayers(restrictions: Restrictions): readonly string[];
}

/** Processes and threads that a child may have; media work on many cores needs far fewer. */
const maxProcesses = 256;

/** The option that enables `node:ffi` (Node 26.1 and later). */
const ffiOption = '--experimental-ffi';

/** A user without an account, to test whether children can run as their own users. */
const probeUser = childGroup;

/** Drops all privileges, including those that root or a user namespace would give to a new program. */
const noPrivileges = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'];

/**
 * Determines which isolation layers this system has, by testing each one with a command that does nothing. A layer whose
 * test fails counts as missing.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { code, probe = commandSucceeds } = options;
  const ffi = options.ffi ?? hasFfi();
  const setpriv = findTool('setpriv');
  const perl = ffi ? await findPerl(probe, options.scratch) : undefined;
  const startPrograms = [setpriv, perl?.perl, perl?.script].filter((program) => program !== undefined);
  const root = join(options.scratch, 'root');
  mkdirSync(root, { recursive: true });

  const [limits, deathSignalPrefix] = await Promise.all([
    detectResourceLimits(options.limits, probe),
    detectDeathSignal(probe),
  ]);
  const outer = [...limits.prefix, ...deathSignalPrefix];
  const namespaces = await detectNamespaces(outer, probe);
  const tools = namespaces.mount ? findViewTools() : undefined;

  const perlView = perl === undefined ? undefined : createPerlView(perl.perl, options.scratch, root);
  const viewLines = (entries: readonly ViewEntry[], tools: ViewTools) =>
    perlView === undefined ? viewScript(root, entries, tools) : perlView(entries);

  const start = (files: VisibleFiles | undefined, ownUser: boolean, line: readonly string[]) => {
    const view = files === undefined || tools === undefined ? [] : viewLines(viewEntries(files, startPrograms), tools);
    const script = setupScript(view, namespaces.processes, namespaces.user || ownUser);
    // Without a shell (Windows) there is nothing to set up.
    if (limits.prefix.length === 0) return line;
    return [...outer, ...namespaces.prefix, shell, '-c', script, shell, ...line];
  };
  const works = async (files: VisibleFiles | undefined, privilegeOptions: readonly string[], ownUser = false) =>
    setpriv !== undefined &&
    (await probe(start(files, ownUser, [setpriv, ...privilegeOptions, process.execPath, '--version'])));

  const codeOnly = { code, readable: [], writable: [] };
  const isRoot = process.getuid?.() === 0;
  const view = tools !== undefined && (await works(codeOnly, noPrivileges));
  const ownUsers =
    view &&
    isRoot &&
    isWorldReadable(code) &&
    canChown(options.parent) &&
    (await works(codeOnly, [...setprivUserOptions(probeUser), ...noPrivileges], true));
  const privilegeOptions = view
    ? noPrivileges
    : await firstPassing([noPrivileges, ['--no-new-privs', '--']], (each) => works(undefined, each));

  return {
    ownUsers,
    processNamespace: namespaces.processes,
    missingLayers: (restrictions) =>
      missingLayers({
        ...restrictions,
        networkNamespace: namespaces.network,
        processNamespace: namespaces.processes,
        view,
        ownUser: isRoot ? ownUsers : undefined,
        noPrivileges: privilegeOptions === noPrivileges,
        deathSignal: deathSignalPrefix.length > 0,
        processLimit: namespaces.user || ownUsers,
        unlimitedResources: limits.unlimitedResources,
      }),
    command(program, files, user) {
      const node = ffi ? restrictedCommand(program, files, perl) : [process.execPath, ...program];
      const userOptions = user === undefined ? [] : setprivUserOptions(user);
      const line =
        privilegeOptions === undefined || setpriv === undefined
          ? node
          : [setpriv, ...userOptions, ...privilegeOptions, ...node];
      return start(view ? files : undefined, user !== undefined, line);
    },
  };
}

/** Whether this Node has `node:ffi`, on a system whose calls are known. */
function hasFfi(): boolean {
  return (
    process.platform === 'linux' &&
    hostArchitecture() !== undefined &&
    process.allowedNodeEnvironmentFlags.has(ffiOption)
  );
}

/**
 * Whether files in a folder can be given to another user. Some file systems have no owners, and root may lack the
 * permission.
 */
function canChown(parent: string): boolean {
  const path = mkdtempSync(join(parent, 'probe-'));
  try {
    chownSync(path, probeUser, childGroup);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true });
  }
}

function setprivUserOptions(user: number): string[] {
  return [`--reuid=${user}`, `--regid=${childGroup}`, '--clear-groups'];
}

/** Returns the start of a command line whose process dies with the service, even if the service is killed. */
async function detectDeathSignal(probe: Probe): Promise<string[]> {
  const setpriv = findTool('setpriv');
  if (setpriv === undefined) return [];
  const layer = [setpriv, '--pdeathsig', 'KILL', '--'];
  return (await probe([...layer, shell, '-c', 'exit 0'])) ? layer : [];
}

interface Namespaces {
  readonly prefix: readonly string[];
  /** Whether there is a user namespace, in which limits count only its own processes. */
  readonly user: boolean;
  readonly network: boolean;
  readonly mount: boolean;
  readonly processes: boolean;
}

/** Returns as many namespaces as this system allows. Only root needs no user namespace. */
async function detectNamespaces(before: readonly string[], probe: Probe): Promise<Namespaces> {
  const none = { prefix: [], user: false, network: false, mount: false, processes: false };
  const unshare = findTool('unshare');
  if (unshare === undefined) return none;
  const user = ['--user', '--map-root-user'];
  // Without its own process group, the child could stop the process outside the namespace that waits for it, which
  // would then not report the child's end.
  const setsid = findTool('setsid');
  const sessionPrefix = setsid === undefined ? [] : [setsid];
  const all = ['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child', '--', ...sessionPrefix];
  const candidates = [
    { ...none, prefix: [unshare, ...all], network: true, mount: true, processes: true },
    { prefix: [unshare, ...user, ...all], user: true, network: true, mount: true, processes: true },
    { ...none, prefix: [unshare, ...user, '--net', '--'], user: true, network: true },
  ];
  const works = ({ prefix }: Namespaces) => probe([...before, ...prefix, shell, '-c', 'exit 0']);
  return (await firstPassing(candidates, works)) ?? none;
}

/** Returns the first candidate that passes a test. Later ones are not tested. */
async function firstPassing<T>(
  candidates: readonly T[],
  passes: (candidate: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates) if (await passes(candidate)) return candidate;
  return undefined;
}

/**
 * Returns the script that becomes the program in its arguments. In a process namespace the shell stays as the first
 * process, because the kernel exempts the first process from the default action of signals, and the program must not be
 * exempt.
 */
function setupScript(view: readonly string[], processNamespace: boolean, limitProcesses: boolean): string {
  // The same limit has different options in dash and bash.
  const limit = `ulimit -p ${maxProcesses} 2> /dev/null || ulimit -u ${maxProcesses}`;
  // The service's umask would hide files from a child with its own user.
  const lines = ['set -e', 'umask 022', ...(limitProcesses ? [limit] : []), ...view, 'exec "$@"'].join('\n');
  return processNamespace ? `(\n${lines}\n)\nexit $?` : lines;
}

/** Finds the system's Perl, which launches children at a lower cost than Node; returns `undefined` if there is none. */
async function findPerl(probe: Probe, scratch: string): Promise<PerlLauncher | undefined> {
  const perl = findTool('perl');
  return perl !== undefined && (await probe(perlProbeCommand(perl))) ? writePerlLauncher(perl, scratch) : undefined;
}

/** Returns a command line that restricts the process with Landlock and then runs the program. */
function restrictedCommand(program: readonly string[], files: VisibleFiles, perl: PerlLauncher | undefined): string[] {
  const node = [process.execPath, ffiOption, '--disable-warning=ExperimentalWarning'];
  const launcher = [...node, engineProgram('launch'), JSON.stringify(files)];
  // The Node launcher replaces itself with the same Node binary.
  return perl === undefined
    ? [...launcher, ...node.slice(1), ...program]
    : [...perlLaunchCommand(perl, files), ...node, ...program];
}
