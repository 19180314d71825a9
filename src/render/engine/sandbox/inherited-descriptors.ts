import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** The first descriptor that is not one of a child's pipes. */
const first = 4;
/** O_CLOEXEC as reported in /proc on Linux (fcntl.h), on x64 and arm64. */
const closeOnExec = 0o2000000;

/** Value that `spawn` accepts for a descriptor. */
export type Descriptor = 'ignore' | number;

/** Replacements for inherited descriptors. */
interface DescriptorMask {
  /** The descriptors of a child, from 4. */
  readonly descriptors: readonly Descriptor[];
  /** Closes the files of this process that the descriptors use. */
  close(): void;
}

/**
 * Finds descriptors that this process inherited and would pass on to children, and replaces them with /dev/null. Node
 * closes the lowest few itself. Without this function, the lock file of a script that starts the service, for example
 * at descriptor 200, would be open in every child.
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
      // Closing it again could close another file that has received the same number.
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
      // This is the descriptor of the listing itself, which is already closed.
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
