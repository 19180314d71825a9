import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the collection depends on. */
export interface IdleCollectionPorts {
  /** Bytes of memory the process has, garbage and what the allocators keep included. */
  used(): number;
  /** Cores that the process used on average since the last call. */
  busy(): number;
  /** Collects all garbage and gives free memory back to the system; takes 30 to 100 ms. */
  collect(): void;
}

const CHECK_INTERVAL_MS = 10_000;
/** Memory worth a pause. */
const WORTHWHILE_BYTES = 48 * 1024 * 1024;
/** Cores. */
const IDLE = 0.2;
/** A minute: so long after a collection the next one is tried although little was allocated since. */
const LEAST_CHECKS = 6;
/** Ten minutes, where collections find nothing. */
const MOST_CHECKS = 60;

/**
 * Returns a check that collects garbage once the process has become idle. V8 collects its old generation when something
 * is allocated, so a process that was busy and is idle now keeps all that it had: 10,000 status streams left 270 MB, for
 * hours (measured 2026-11-22, Node 26).
 */
export function createIdleCollection({ used, busy, collect }: IdleCollectionPorts): () => void {
  /** In use after the last collection, or less if V8 has collected since. */
  let alive = used();
  /** The least that was ever in use. */
  let least = alive;
  let checks = 0;
  let checksToWait = LEAST_CHECKS;
  return () => {
    const isIdle = busy() < IDLE;
    const before = used();
    alive = Math.min(alive, before);
    least = Math.min(least, before);
    checks += 1;
    // What was alive then may be garbage now, and only a collection tells.
    const expected = checks < checksToWait ? alive : least;
    if (!isIdle || before - expected < WORTHWHILE_BYTES) return;
    collect();
    alive = used();
    least = Math.min(least, alive);
    checks = 0;
    const wasWorthwhile = before - alive >= WORTHWHILE_BYTES;
    checksToWait = wasWorthwhile ? LEAST_CHECKS : Math.min(MOST_CHECKS, checksToWait * 2);
  };
}

/** Starts to collect garbage of this process whenever it has become idle. */
export function startIdleCollection(): void {
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  const collectGarbage = exposedCollector();
  let trim: (() => void) | undefined;
  const check = createIdleCollection({
    used: () => process.memoryUsage.rss(),
    busy() {
      const { user, system } = process.cpuUsage(last.cpu);
      const milliseconds = performance.now() - last.at;
      last = { at: performance.now(), cpu: process.cpuUsage() };
      return (user + system) / 1_000 / milliseconds;
    },
    collect() {
      collectGarbage();
      trim ??= allocatorTrim();
      trim();
    },
  });
  setInterval(check, CHECK_INTERVAL_MS).unref();
}

/** V8's own collector, which no other code of the process gets to see. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') throw new Error('V8 exposes no garbage collector');
  // "last-resort" also gives empty pages back to the system.
  return () => void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Returns glibc's malloc_trim. glibc gives back only the end of its heap, so what sockets and parsers had (70 MB for
 * 10,000 connections) stays with the process otherwise. Without glibc or FFI (Node before 26.1) it does nothing.
 */
function allocatorTrim(): () => void {
  try {
    const { functions } = process
      .getBuiltinModule('node:ffi')
      .dlopen('libc.so.6', { malloc_trim: { return: 'i32', arguments: ['u64'] } });
    return () => void functions.malloc_trim(0n);
  } catch {
    return () => undefined;
  }
}
