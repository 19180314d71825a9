import { type Probe, shell } from './system-tools.ts';

/** Resource limits of one child. */
export interface ChildLimits {
  /** Bytes of address space. Node itself reserves 1.6 GB of it at startup. */
  readonly memoryBytes: number;
  /** Seconds of processor time, over all threads. */
  readonly cpuSeconds: number;
  /** Bytes of each file that it writes. */
  readonly fileBytes: number;
}

/** The resource limits that this system supports. */
interface ResourceLimits {
  /** The start of a command line that sets them for the command after it. */
  readonly prefix: readonly string[];
  /** Resources without a limit, as text. */
  readonly unlimitedResources: readonly string[];
}

/** Determines which limits the system supports. For example, macOS cannot limit address space. */
export async function detectResourceLimits(limits: ChildLimits, probe: Probe): Promise<ResourceLimits> {
  if (!(await probe([shell, '-c', 'exit 0']))) {
    return {
      prefix: [],
      unlimitedResources: ['memory, processor time and file size of children have no limit (no shell)'],
    };
  }
  const limitLines = [
    { what: 'memory', line: `ulimit -v ${Math.floor(limits.memoryBytes / 1024)}` },
    { what: 'processor time', line: `ulimit -t ${Math.ceil(limits.cpuSeconds)}` },
    // POSIX counts this limit in blocks of 512 bytes.
    { what: 'file size', line: `ulimit -f ${Math.ceil(limits.fileBytes / 512)}` },
    { what: 'core dumps', line: 'ulimit -c 0' },
    { what: 'open files', line: 'ulimit -n 256' },
  ];
  const all = await probe([shell, '-c', limitLines.map(({ line }) => line).join(' && ')]);
  const isSupported = await Promise.all(limitLines.map(({ line }) => all || probe([shell, '-c', line])));
  const supportedLimits = limitLines.filter((_, index) => isSupported[index] === true);
  return {
    prefix: [shell, '-c', `${supportedLimits.map(({ line }) => `${line} && `).join('')}exec "$@"`, 'sh'],
    unlimitedResources: limitLines
      .filter((each) => !supportedLimits.includes(each))
      .map(({ what }) => `${what} of children has no limit`),
  };
}
