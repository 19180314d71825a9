import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { MillraceError } from '../../contract/errors.ts';

/** Bounds of one child. */
export interface ChildLimits {
  /** Bytes of address space. Node itself reserves 1.6 GB of it before it does anything. */
  readonly memoryBytes: number;
  /** Seconds of processor time, over all threads. */
  readonly cpuSeconds: number;
  /** Bytes of any one file that it writes. */
  readonly fileBytes: number;
}

/** The directories that children share. */
export interface ChildPlace {
  /** Where they stand; it stays empty, and nothing else uses it. */
  readonly directory: string;
  /** Where they keep their compiled code: a child reads in half the time what an earlier one has compiled. */
  readonly modules: string;
}

/** How children are shut in on this system. */
export interface Sandbox {
  /**
   * Command line that starts `command` inside. Each part of it replaces itself by the next, so the process that is
   * started is the one that runs `command` in the end: killing it kills everything.
   */
  wrap(command: readonly string[]): readonly string[];
  /** Layers that this system lacks, in words for the operator. */
  readonly missing: readonly string[];
  /**
   * Shuts the file system of a running child: the data directory becomes empty but for `directory`, and the rest of the
   * root file system read-only; the compiled code, which it has loaded, is out of its reach. Does nothing where the
   * layer is missing.
   *
   * @throws MillraceError `processing_failed` when the system that allowed it before refuses it now.
   */
  confine(pid: number, directory: string, place: ChildPlace): Promise<void>;
}

/** Runs a command and says whether it succeeded; a command that hangs did not. */
export type Probe = (command: readonly string[]) => boolean;

const searched = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const shell = '/bin/sh';

/**
 * Finds out which layers of isolation this system has, by trying each one on a command that does nothing. Takes some
 * 30 ms, in which the calling process is blocked.
 */
export function createSandbox(
  limits: ChildLimits,
  dataDirectory: string | undefined,
  probe: Probe = succeeds,
): Sandbox {
  const missing: string[] = [];
  const limiting = limitLayer(limits, probe, missing);
  const spaces = namespaceLayer(limiting, probe);
  if (spaces === undefined) missing.push('network: children can reach it (unshare is missing or not permitted)');
  const closed = spaces?.mount === true && mayMount([...limiting, ...spaces.prefix], probe);
  if (!closed || dataDirectory === undefined) {
    missing.push('file system: children can read and write what the service can (no mount namespace)');
  }
  const prefix = [...limiting, ...(spaces?.prefix ?? [])];
  const wrapped = [...prefix, ...privilegeLayer(prefix, probe, missing)];
  return {
    wrap: (command) => [...wrapped, ...command],
    missing,
    confine: async (pid, directory, place) => {
      if (closed && dataDirectory !== undefined) await shutIn(pid, spaces.user, directory, dataDirectory, place);
    },
  };
}

/**
 * Resource limits, set by a shell that then becomes the child. Where not all are granted, each is tried alone: macOS
 * knows no address space.
 */
function limitLayer(limits: ChildLimits, probe: Probe, missing: string[]): string[] {
  if (!probe([shell, '-c', 'exit 0'])) {
    missing.push('resource limits: memory, processor time and file size of children have no limit (no shell)');
    return [];
  }
  const wanted = [
    { what: 'memory', line: `ulimit -v ${Math.floor(limits.memoryBytes / 1024)}` },
    { what: 'processor time', line: `ulimit -t ${Math.ceil(limits.cpuSeconds)}` },
    // POSIX counts this one in blocks of 512 bytes.
    { what: 'file size', line: `ulimit -f ${Math.ceil(limits.fileBytes / 512)}` },
    { what: 'core dumps', line: 'ulimit -c 0' },
    { what: 'open files', line: 'ulimit -n 256' },
  ];
  const all = probe([shell, '-c', wanted.map(({ line }) => line).join(' && ')]);
  const granted = wanted.filter(({ what, line }) => {
    const works = all || probe([shell, '-c', line]);
    if (!works) missing.push(`resource limits: ${what} of children has no limit`);
    return works;
  });
  return [shell, '-c', `${granted.map(({ line }) => `${line} && `).join('')}exec "$@"`, 'sh'];
}

interface Namespaces {
  readonly prefix: readonly string[];
  readonly user: boolean;
  readonly mount: boolean;
}

/** No network, and if it can be a file system view of its own. Only root can do without a user namespace. */
function namespaceLayer(before: readonly string[], probe: Probe): Namespaces | undefined {
  const unshare = find('unshare');
  if (unshare === undefined) return undefined;
  const user = ['--user', '--map-root-user'];
  const candidates = [
    { prefix: [unshare, '--net', '--mount', '--'], user: false, mount: true },
    { prefix: [unshare, ...user, '--net', '--mount', '--'], user: true, mount: true },
    { prefix: [unshare, ...user, '--net', '--'], user: true, mount: false },
  ];
  return candidates.find(({ prefix }) => probe([...before, ...prefix, shell, '-c', 'exit 0']));
}

/** Whether file systems can be mounted in there: some systems allow the namespace but not its use. */
function mayMount(prefix: readonly string[], probe: Probe): boolean {
  const mount = find('mount');
  if (mount === undefined || find('nsenter') === undefined || find('umount') === undefined) return false;
  return probe([...prefix, mount, '-t', 'tmpfs', 'tmpfs', '/tmp']);
}

/** Death with the service, even a sudden one, and no privilege that root or a user namespace would give. */
function privilegeLayer(before: readonly string[], probe: Probe, missing: string[]): readonly string[] {
  const setpriv = find('setpriv');
  const death = ['--pdeathsig', 'KILL'];
  const bare = [...death, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'];
  const candidates = [bare, [...death, '--no-new-privs', '--'], [...death, '--']];
  const works = candidates.find((options) => {
    return setpriv !== undefined && probe([...before, setpriv, ...options, shell, '-c', 'exit 0']);
  });
  if (works === undefined) {
    missing.push('parent death signal: children notice the death of the service with a delay (no setpriv)');
  }
  if (works !== bare) missing.push("privileges: children keep the service's own, and can look into its memory");
  return works === undefined || setpriv === undefined ? [] : [setpriv, ...works];
}

/**
 * The child has no right to mount, so the parent enters its namespace and does it: the job's directory is parked while
 * an empty file system covers the data directory, then put back into its place. Another one covers the compiled code, or
 * a child that a file has taken over could change what later ones run.
 */
const shutInScript = `
set -e
"$MOUNT" --bind "$1" "$3"
"$MOUNT" -t tmpfs -o nosuid,nodev,noexec,size=64k,mode=755 tmpfs "$2"
"$MKDIR" -p "$1"
"$MOUNT" -o remount,bind,ro "$2"
"$MOUNT" --bind "$3" "$1"
"$UMOUNT" "$3"
"$MOUNT" -t tmpfs -o ro,nosuid,nodev,noexec,size=4k tmpfs "$4"
"$MOUNT" -o remount,bind,ro / || :
`;

const run = promisify(execFile);

async function shutIn(
  pid: number,
  user: boolean,
  directory: string,
  data: string,
  { directory: scratch, modules }: ChildPlace,
): Promise<void> {
  const into = ['--target', `${pid}`, '--mount', ...(user ? ['--user', '--preserve-credentials'] : [])];
  const env = { MOUNT: find('mount'), UMOUNT: find('umount'), MKDIR: find('mkdir') };
  try {
    const nsenter = find('nsenter') ?? 'nsenter';
    await run(nsenter, [...into, '--', shell, '-c', shutInScript, 'sh', directory, data, scratch, modules], {
      env,
      timeout: 5000,
      maxBuffer: 64 * 1024,
    });
  } catch (cause) {
    throw new MillraceError(
      'processing_failed',
      'The media engine could not be shut off from other files, so it was not started. Try again.',
      { cause },
    );
  }
}

function find(tool: string): string | undefined {
  return searched.map((directory) => `${directory}/${tool}`).find((path) => existsSync(path));
}

function succeeds(command: readonly string[]): boolean {
  const [file, ...args] = command;
  if (file === undefined || !existsSync(file)) return false;
  return spawnSync(file, args, { env: {}, stdio: 'ignore', timeout: 2000, cwd: '/' }).status === 0;
}
