import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** The first descriptor that is not one of a child's pipes. */
const first = 4;
/** O_CLOEXEC as Linux shows it in /proc (fcntl.h), on x64 and arm64. */
const closeOnExec = 0o2000000;

/** What `spawn` takes for each descriptor. */
export type Descriptor = 'ignore' | number;

/** Replacements for inherited descriptors. */
interface DescriptorMask {
  /** A child's descriptors from 4 on. */
  readonly descriptors: readonly Descriptor[];
  /** Closes the files of this process that the descriptors use. */
  close(): void;
}

/**
 * Replaces descriptors that this process inherited, and would pass on, by /dev/null. Node closes the lowest few itself.
 * Without this, a lock file at descriptor 200, of a script that starts the service, would be open in every child.
 */
export function maskInheritedDescriptors(): DescriptorMask {
  const descriptorSet = new Set(inheritedDescriptors());
  if (descriptorSet.size === 0) return { descriptors: [], close: () => undefined };
  const devNull = openSync('/dev/null', 'r');
  const length = Math.max(...descriptorSet) - first + 1;
  let isOpen = true;
  return {
    descriptors: Array.from({ length }, (_, at) => (descriptorSet.has(first + at) ? devNull : 'ignore')),
    close() {
      // A second time, the number could belong to another file.
      if (isOpen) closeSync(devNull);
      isOpen = false;
    },
  };
}

function inheritedDescriptors(): number[] {
  return openDescriptors().filter((descriptor) => {
    if (descriptor < first) return false;
    try {
      const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
      return (Number.parseInt(flags, 8) & closeOnExec) === 0;
    } catch {
      // The descriptor of the listing itself, which is closed by now.
      return false;
    }
  });
}

/** Lists the open descriptors on Linux. On other systems there is no sandbox that an open file could bypass. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}
