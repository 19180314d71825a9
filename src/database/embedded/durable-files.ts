import { constants, fsync, fsyncSync } from 'node:fs';
import type { PGlite, postgresMod } from '@electric-sql/pglite';
import type { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncFolderBlocking } from '../../files/folder.ts';
import { EngineFileSystem } from './engine-file-system.ts';

type PostgresMod = postgresMod.PostgresMod;

/** Segments of the write-ahead log (PostgreSQL's `XLogFileName`). */
export const logSegment = /\/pg_wal\/[0-9A-F]{24}$/;

/** Bytes of a log segment (PostgreSQL's default, which pglite 0.5.16 uses). */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The engine's number of ENOENT (WASI). */
const NOT_FOUND = 44;

/**
 * Matches the file with the empty content of an unlogged table. If it exists when recovery begins, recovery removes the
 * table's file. If recovery creates it only later, from the log, recovery fails because the table's file exists ("could
 * not create file: File exists"; PostgreSQL's `reinit.c`). Its folder entry must therefore be on disk before the log
 * record, which is written after its creation.
 */
const initFork = /_init$/;

/** A file or folder of Emscripten's NODEFS. */
interface Node {
  readonly parent: Node;
  /** As in `stat`. */
  readonly mode: number;
}

/** An open file of NODEFS; `nfd` is Node's descriptor. */
interface Stream {
  readonly node: Node;
  readonly nfd: number;
}

type WriteArguments = [buffer: Uint8Array, offset: number, length: number, position: number];

type Operation<Target> = (target: Target, ...rest: never[]) => unknown;

/**
 * The part of Emscripten's NODEFS that is used here (pglite 0.5.16, dist/pglite.js; its source:
 * https://github.com/emscripten-core/emscripten/blob/main/src/lib/libnodefs.js).
 */
interface NodeFiles {
  realPath(node: Node): string;
  /** Converts an error of Node into one of the engine. */
  tryFSOperation<Result>(operation: () => Result): Result;
  readonly node_ops: Record<'setattr' | 'rename' | 'unlink', Operation<Node>> & {
    mknod(folder: Node, name: string, ...rest: never[]): unknown;
  };
  readonly stream_ops: Record<'setattr' | 'close', Operation<Stream>> & {
    write(stream: Stream, ...rest: WriteArguments): number;
    /** Missing in pglite, so its fsync succeeds and does nothing. */
    fsync?: (stream: Stream) => number;
  };
}

/**
 * The files of an embedded database, with the fsync that pglite's file system lacks.
 *
 * Every commit ends with a flush (fsync) of the write-ahead log, and while the engine waits, so does the whole process.
 * That flush is therefore deferred: the engine continues, and {@link waitForFlush} waits for the disk in the
 * background. One flush covers all commits since the previous one. Writes, truncations, renames and deletions of the
 * engine may rely on the log being on disk, so the log is flushed before each of them. The creation of a file does not
 * rely on the log, because its log record is written later.
 */
export class DurableFiles extends EngineFileSystem {
  /** Log segments with a deferred flush, and those whose flush is running in the background. */
  readonly #deferred = new Set<Stream>();
  readonly #running = new Set<Stream>();
  /**
   * Folders with new entries. PostgreSQL relies on a new file's fsync to flush its folder entry too, which POSIX does
   * not guarantee.
   */
  readonly #changedFolders = new Set<string>();
  #current = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Positions in the log of the first and of the furthest write. */
  #logStart: number | undefined;
  #logEnd = 0;
  /** Called once if a flush of the log failed. */
  onFailure: ((error: unknown) => void) | undefined;

  /** Returns the files that an engine was started with. */
  static of({ fs: files }: PGlite): DurableFiles {
    if (files instanceof DurableFiles) return files;
    throw new Error('the embedded database was started without durable files');
  }

  /** The bytes by which the log has grown since the start, in whole pages of 8 KiB. */
  get logBytes(): number {
    return this.#logEnd - (this.#logStart ?? this.#logEnd);
  }

  override async init(engine: PGlite, options: Partial<PostgresMod>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    // pglite's types do not describe its file systems.
    const install = (module: PostgresMod) => this.#install(module.NODEFS as unknown as NodeFiles);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), install] } };
  }

  /**
   * Settles when everything committed before the call is on disk.
   *
   * @throws Error if the disk failed. The state of the disk is unknown from then on, so all later calls fail as well.
   */
  async waitForFlush(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#deferred.size > 0) {
      this.#next ??= this.#current.then(() => this.#flushInBackground());
      await this.#next;
    } else if (this.#running.size > 0) await this.#current;
  }

  async #flushInBackground(): Promise<void> {
    this.#current = this.#next ?? this.#current;
    this.#next = undefined;
    const streams = [...this.#deferred];
    this.#deferred.clear();
    for (const stream of streams) this.#running.add(stream);
    try {
      await Promise.all(streams.map((stream) => this.#flushStream(stream)));
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.onFailure?.(error);
  }

  async #flushStream(stream: Stream): Promise<void> {
    try {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      fsync(stream.nfd, (error) => (error === null ? resolve() : reject(error)));
      await promise;
    } catch (error) {
      const closed = (error as NodeJS.ErrnoException).code === 'EBADF' && !this.#running.has(stream);
      if (!closed) throw error;
    }
    this.#running.delete(stream);
  }

  /** Flushes the log while the engine waits. After a failure nothing that relies on the log may be written. */
  #flushNow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#deferred.size + this.#running.size === 0) return;
    try {
      for (const { nfd } of new Set([...this.#deferred, ...this.#running])) fsyncSync(nfd);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    this.#deferred.clear();
    this.#running.clear();
  }

  #install(files: NodeFiles): void {
    const { node_ops: nodeOperations, stream_ops: streamOperations } = files;
    const isLog = (stream: Stream) => logSegment.test(files.realPath(stream.node));
    const isPending = (stream: Stream) => this.#deferred.has(stream) || this.#running.has(stream);
    /** Wraps an operation so that it flushes the log first. */
    const afterLogFlush =
      <Target>(operation: Operation<Target>, applies: (target: Target) => boolean = () => true): Operation<Target> =>
      (target, ...rest) => {
        if (applies(target)) files.tryFSOperation(() => this.#flushNow());
        return operation(target, ...rest);
      };
    const { mknod, unlink } = nodeOperations;
    const { write } = streamOperations;
    // Directly after a flush of the log, PostgreSQL truncates the files of dropped tables and those that VACUUM shortens,
    // renames `pg_filenode.map`, and deletes segments of `pg_xact` (`TruncateCLOG`).
    Object.assign(nodeOperations, {
      setattr: afterLogFlush(nodeOperations.setattr),
      rename: afterLogFlush(nodeOperations.rename),
      unlink: afterLogFlush((folder: Node, ...rest: never[]) => {
        try {
          return unlink(folder, ...rest);
        } catch (error) {
          // NODEFS keeps files whose creation failed, and would create them no more: "File exists".
          if ((error as { errno?: number }).errno !== NOT_FOUND) throw error;
          return undefined;
        }
      }),
      mknod: (parent: Node, name: string, ...rest: never[]) => {
        const folder = files.realPath(parent);
        const node = mknod(parent, name, ...rest);
        if (initFork.test(name)) files.tryFSOperation(() => syncFolderBlocking(folder));
        else this.#changedFolders.add(folder);
        return node;
      },
    });
    Object.assign(streamOperations, {
      setattr: afterLogFlush(streamOperations.setattr),
      write: (stream: Stream, ...rest: WriteArguments) => {
        const path = files.realPath(stream.node);
        if (logSegment.test(path)) this.#noteLogWrite(path, rest);
        else files.tryFSOperation(() => this.#flushNow());
        return write(stream, ...rest);
      },
      close: afterLogFlush(streamOperations.close, isPending),
      fsync: (stream: Stream): number => {
        if (isLog(stream)) this.#deferred.add(stream);
        else if (isFolder(stream.node)) files.tryFSOperation(() => syncFolderBlocking(files.realPath(stream.node)));
        else files.tryFSOperation(() => this.#flushFile(stream.nfd, files.realPath(stream.node.parent)));
        return 0;
      },
    });
  }

  #noteLogWrite(path: string, [, , length, position]: WriteArguments): void {
    // A segment's name ends with the upper and the lower half of its position, the latter in segments.
    const upper = Number.parseInt(path.slice(-16, -8), 16);
    const lower = Number.parseInt(path.slice(-8), 16);
    const start = upper * 2 ** 32 + lower * SEGMENT_BYTES + position;
    this.#logStart ??= start;
    this.#logEnd = Math.max(this.#logEnd, start + length);
  }

  #flushFile(descriptor: number, folder: string): void {
    fsyncSync(descriptor);
    if (this.#changedFolders.delete(folder)) syncFolderBlocking(folder);
  }
}

function isFolder({ mode }: Node): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR;
}
