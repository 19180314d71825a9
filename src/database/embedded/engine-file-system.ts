import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** An error of the operating system: its message names the cause, the call and usually the path. */
type SystemError = Error & { readonly code: string; readonly syscall: string };

/** Whether an error comes from the operating system, not from the database or an archive. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/**
 * Errors about a folder's contents. The engine expects them when it looks for files, and missing files of a damaged
 * database cause them too. Any other error has its cause outside the database.
 */
const aboutContents = new Set(['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY']);

/**
 * The engine's view of a database's folder. It keeps the last error whose cause is outside the database, because the
 * engine itself keeps only its number (pglite 0.5.16).
 */
export class EngineFileSystem extends NodeFS {
  /** The last error whose cause is outside the database, if any. */
  systemError: SystemError | undefined;

  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    const installWatcher = ({ NODEFS }: PGlite['Module']) => {
      const calls = NODEFS as unknown as { tryFSOperation<T>(call: () => T): T };
      const original = calls.tryFSOperation;
      calls.tryFSOperation = (call) => original(() => this.#watched(call));
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [installWatcher, ...(emscriptenOpts.preRun ?? [])] } };
  }

  /** From now on, clears the error at each call to the engine, because it does not explain a later failure. */
  clearErrorOnCalls(engine: PGlite): void {
    const call = engine.execProtocolRawSync.bind(engine);
    engine.execProtocolRawSync = (message) => {
      this.systemError = undefined;
      return call(message);
    };
  }

  #watched<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (isSystemError(error) && !aboutContents.has(error.code)) this.systemError = error;
      throw error;
    }
  }
}
