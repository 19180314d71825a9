import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { openForReading } from '../open-file.ts';
import { packageFile } from '../package-files.ts';
import type { HashAcknowledgement, HashOutcome, HashSource, HashTask } from './hash-task.ts';

/** A range of a file. */
export interface FileRange {
  readonly path: string;
  readonly position: number;
  readonly length: number;
}

/** A part of the bytes to hash. */
export type HashedPart = FileRange | Uint8Array;

/** The SHA-256 of a sequence of bytes in hexadecimal, and the number of bytes. */
export interface HashedBytes {
  readonly sha256: string;
  readonly bytes: number;
}

/** A sequence of bytes that is hashed while its parts become known. */
export interface HashStream {
  /** Adds parts. Their files must exist until {@link HashStream.opened} settles, and may not be changed there. */
  add(parts: readonly HashedPart[]): void;
  /** Settles when the files of all parts so far are open, or were read. */
  opened(): Promise<void>;
  /**
   * Ends the sequence. Rejects with an error of the file system or the signal's reason, and may be left alone.
   *
   * @throws UnsafeFileError
   */
  finish(): Promise<HashedBytes>;
  /** Ends the sequence if its hash is no longer needed. */
  cancel(): void;
}

/** Computes hashes of files in a thread, so that the service can do other work. Small files need no thread. */
export interface Hasher {
  /**
   * Starts to hash ranges of files and bytes in memory, taken as one sequence. When this settles, the files are open or
   * were read, so they may be moved or deleted, but not changed. `hashed` rejects with an error of the file system or the signal's
   * reason, and may be left alone.
   *
   * @throws UnsafeFileError; an error of the file system; the signal's reason.
   */
  start(parts: readonly HashedPart[], signal: AbortSignal): Promise<{ readonly hashed: Promise<HashedBytes> }>;
  /** Opens a sequence. It must be finished or cancelled, or its signal aborted. */
  open(signal: AbortSignal): HashStream;
  close(): Promise<void>;
}

/** Maximum size of a sequence that is hashed in this thread, which takes a millisecond. */
const SMALL_BYTES = 1024 * 1024;

/** Maximum number of open files of a sequence. A playlist can have a few thousand files. */
const MAX_OPEN_FILES = 32;

/** A thread that hashes, and the sequences whose outcomes and acknowledgements it owes. */
interface HashThread {
  readonly worker: Worker;
  readonly pendingOutcomes: Map<number, PromiseWithResolvers<HashOutcome>>;
  readonly pendingReads: Map<number, PromiseWithResolvers<void>>;
}

/**
 * Creates a hasher. Its thread starts with the first sequence that is not small, and carries out one task after
 * another. It does not keep the process alive.
 */
export function createHasher(startWorker = () => new Worker(packageFile('dist/bin/hash-thread.js'))): Hasher {
  let thread: HashThread | undefined;
  let lastId = 0;
  let closed = false;

  function startThread(): HashThread {
    const started: HashThread = { worker: startWorker(), pendingOutcomes: new Map(), pendingReads: new Map() };
    const { worker, pendingOutcomes, pendingReads } = started;
    /** Rejects the sequences of this thread; the next one starts another thread. */
    const fail = (error: Error) => {
      if (thread === started) thread = undefined;
      for (const pending of [...pendingOutcomes.values(), ...pendingReads.values()]) pending.reject(error);
      pendingOutcomes.clear();
      pendingReads.clear();
    };
    worker.unref();
    worker.on('message', (message: HashOutcome | HashAcknowledgement) => {
      if ('isRead' in message) {
        pendingReads.get(message.id)?.resolve();
        pendingReads.delete(message.id);
        return;
      }
      pendingOutcomes.get(message.id)?.resolve(message);
      pendingOutcomes.delete(message.id);
    });
    // An error is followed by the exit, perhaps long after another thread has started.
    worker.on('error', (error) => fail(new Error('the hash thread failed', { cause: error })));
    worker.on('exit', () => fail(new Error('the hash thread has ended')));
    return started;
  }

  function throwIfClosed(): void {
    if (closed) throw new Error('the hasher is closed');
  }

  function open(signal: AbortSignal): HashStream {
    lastId += 1;
    const id = lastId;
    const files = new Map<string, FileHandle>();
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const pending = Promise.withResolvers<HashOutcome>();
    // Reported by `finish`.
    pending.promise.catch(() => undefined);
    /** The thread that has the first parts; another one cannot continue. */
    let ownThread: HashThread | undefined;
    let adding = Promise.resolve();
    let ending: Promise<HashedBytes> | undefined;

    const isCancelled = () => Atomics.load(cancelled, 0) !== 0;

    function send(sources: readonly HashSource[], next: 'more' | 'acknowledge' | 'end'): HashThread {
      if (ownThread === undefined) {
        throwIfClosed();
        thread ??= startThread();
        ownThread = thread;
        thread.pendingOutcomes.set(id, pending);
      }
      const acknowledge = next === 'acknowledge';
      ownThread.worker.postMessage({ id, sources, cancelled, isLast: next === 'end', acknowledge } satisfies HashTask);
      return ownThread;
    }

    /** Sends parts with their files open. Waits for the thread and closes the files whenever too many are open. */
    async function addParts(parts: readonly HashedPart[]): Promise<void> {
      let sources: HashSource[] = [];
      for (const part of parts) {
        if (isCancelled()) return;
        if (part instanceof Uint8Array) {
          sources.push({ bytes: part });
          continue;
        }
        const { path, position, length } = part;
        if (!files.has(path) && files.size >= MAX_OPEN_FILES) {
          await read(sources);
          await closeFiles();
          sources = [];
        }
        const file = files.get(path) ?? (await openForReading(path, { links: 'any' }));
        files.set(path, file);
        sources.push({ descriptor: file.fd, position, length });
      }
      send(sources, 'more');
    }

    async function read(sources: readonly HashSource[]): Promise<void> {
      const { pendingReads } = send(sources, 'acknowledge');
      if (thread !== ownThread) throw new Error('the hash thread has ended');
      const reading = Promise.withResolvers<void>();
      pendingReads.set(id, reading);
      await reading.promise;
    }

    async function closeFiles(): Promise<void> {
      for (const file of files.values()) await file.close();
      files.clear();
    }

    async function end(): Promise<HashedBytes> {
      let failure: unknown;
      try {
        await adding.catch((error: unknown) => {
          Atomics.store(cancelled, 0, 1);
          failure = error;
        });
        if (ownThread !== undefined || !isCancelled()) send([], 'end');
        else pending.reject(failure ?? new Error('the hash is no longer needed'));
        // The files stay open until the thread has responded, so that it never reads another file's descriptor.
        const outcome = await pending.promise;
        if (failure !== undefined) throw failure;
        // The thread may have been done before it saw that the sequence was cancelled.
        signal.throwIfAborted();
        if ('error' in outcome) throw new Error(`a file could not be hashed: ${outcome.error}`);
        return { sha256: outcome.sha256, bytes: outcome.bytes };
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
        await closeFiles();
      }
    }

    function finish(): Promise<HashedBytes> {
      ending ??= end();
      ending.catch(() => undefined);
      return ending;
    }

    function cancel(): void {
      Atomics.store(cancelled, 0, 1);
      void finish();
    }

    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return {
      add(parts) {
        adding = adding.then(() => addParts(parts));
        adding.catch(() => undefined);
      },
      opened: () => adding,
      finish,
      cancel,
    };
  }

  return {
    open,
    async start(parts, signal) {
      signal.throwIfAborted();
      throwIfClosed();
      if (totalLength(parts) <= SMALL_BYTES) return { hashed: Promise.resolve(await hashSmall(parts)) };
      const stream = open(signal);
      stream.add(parts);
      const hashed = stream.finish();
      await stream.opened();
      return { hashed };
    },
    async close() {
      closed = true;
      await thread?.worker.terminate();
    },
  };
}

function totalLength(parts: readonly HashedPart[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Hashes small parts in this thread: waking the other one, or even starting it, would take longer. */
async function hashSmall(parts: readonly HashedPart[]): Promise<HashedBytes> {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part instanceof Uint8Array ? part : await readRange(part));
  return { sha256: hash.digest('hex'), bytes: totalLength(parts) };
}

async function readRange({ path, position, length }: FileRange): Promise<Buffer> {
  const file = await openForReading(path, { links: 'any' });
  try {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await file.read(bytes, at, length - at, position + at);
      if (bytesRead === 0) throw new Error(`a file could not be hashed: the file ends at byte ${position + at}`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
