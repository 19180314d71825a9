import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** The first descriptor that is not one of a child's pipes. */
const first = 4;
/** O_CLOEXEC as Linux shows it in /proc (fcntl.h), on x64 and arm64. */
const closedOnExec = 0o2000000;

/** What `spawn` takes for each descriptor. */
export type Descriptor = 'ignore' | number;

/** Replacements for inherited descriptors. */
interface Cover {
  /** A child's descriptors from 4 on. */
  readonly descriptors: readonly Descriptor[];
  /** Closes the files of this process that the descriptors use. */
  close(): void;
}

/**
 * Replaces descriptors that this process inherited, and would pass on, by /dev/null. Node closes the lowest few itself.
 * Without this, a lock file at descriptor 200, of a script that starts the service, would be open in every child.
 */
export function coverInherited(): Cover {
  const inherited = new Set(inheritedDescriptors());
  if (inherited.size === 0) return { descriptors: [], close: () => undefined };
  const nowhere = openSync('/dev/null', 'r');
  const length = Math.max(...inherited) - first + 1;
  let open = true;
  return {
    descriptors: Array.from({ length }, (_, at) => (inherited.has(first + at) ? nowhere : 'ignore')),
    close() {
      // A second time, the number could belong to another file.
      if (open) closeSync(nowhere);
      open = false;
    },
  };
}

function inheritedDescriptors(): number[] {
  return openDescriptors().filter((descriptor) => {
    if (descriptor < first) return false;
    try {
      const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
      return (Number.parseInt(flags, 8) & closedOnExec) === 0;
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
