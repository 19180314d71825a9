import { openSync, readdirSync, readFileSync } from 'node:fs';

/** The first descriptor that is not one of a child's pipes. */
const first = 4;
/** O_CLOEXEC as Linux shows it in /proc (fcntl.h), on x64 and arm64. */
const closedOnExec = 0o2000000;

/** What `spawn` takes for each descriptor. */
export type Descriptor = 'ignore' | number;

/**
 * A child's descriptors from 4 on: nothing, or /dev/null in place of one that this process inherited and would pass on.
 * Node closes the lowest few itself. Without this, a lock file at descriptor 200, of a script that starts the service,
 * would be open in every child.
 */
export function coverInherited(): Descriptor[] {
  const inherited = new Set(inheritedDescriptors());
  if (inherited.size === 0) return [];
  const nowhere = openSync('/dev/null', 'r');
  const length = Math.max(...inherited) - first + 1;
  return Array.from({ length }, (_, at) => (inherited.has(first + at) ? nowhere : 'ignore'));
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
