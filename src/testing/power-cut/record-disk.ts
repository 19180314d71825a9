import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, relative, sep } from 'node:path';

/** A file, independent of its current name. */
export type FileId = number;

/** An operation below the recorded folder. `file` is the affected file; paths are relative to the folder. */
export type DiskOperation =
  | { readonly kind: 'write'; readonly file: FileId; readonly position: number; readonly data: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: FileId; readonly size: number }
  | { readonly kind: 'link'; readonly folder: string; readonly name: string; readonly file: FileId }
  | { readonly kind: 'unlink'; readonly folder: string; readonly name: string }
  | {
      readonly kind: 'rename';
      readonly folder: string;
      readonly from: string;
      readonly to: string;
      readonly file: FileId;
    }
  | { readonly kind: 'folder'; readonly path: string; readonly exists: boolean }
  /** A finished fsync. It covers the operations before `covers`; later operations may not be on disk. */
  | { readonly kind: 'flush'; readonly file: FileId; readonly covers: number }
  | { readonly kind: 'flush folder'; readonly folder: string; readonly covers: number };

/** A recording of all operations on a folder, in order. */
export interface Recording {
  readonly operations: readonly DiskOperation[];
  /** The files that existed at the start, by their paths. */
  readonly files: ReadonlyMap<string, FileId>;
  stop(): void;
}

type PatchedFunctions = Partial<Record<keyof typeof fs, unknown>>;

/**
 * Records this process's operations below a folder. Replaces the functions of `node:fs` that Emscripten's NODEFS and
 * `durable-files.ts` use.
 */
export function recordDisk(root: string): Recording {
  const operations: DiskOperation[] = [];
  const names = new Map<string, FileId>();
  const open = new Map<number, { readonly path: string; readonly file: FileId | undefined }>();
  let files = 0;
  const nextFile = (): FileId => {
    files += 1;
    return files;
  };
  const pathInside = (path: unknown): string | undefined => {
    if (typeof path !== 'string') return undefined;
    const inside = relative(root, path);
    return inside === '..' || inside.startsWith(`..${sep}`) ? undefined : inside;
  };
  const place = (path: string) => ({ folder: dirname(path), name: basename(path) });
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) names.set(relative(root, `${entry.parentPath}/${entry.name}`), nextFile());
  }
  const initialFiles = new Map(names);

  function create(path: string): FileId {
    const file = nextFile();
    names.set(path, file);
    operations.push({ kind: 'link', ...place(path), file });
    return file;
  }
  function truncate(file: FileId | undefined, size: number): void {
    if (file !== undefined) operations.push({ kind: 'truncate', file, size });
  }
  function recordFlush(descriptor: number, covers: number): void {
    const entry = open.get(descriptor);
    if (entry === undefined) return;
    const { path, file } = entry;
    operations.push(
      file === undefined ? { kind: 'flush folder', folder: path, covers } : { kind: 'flush', file, covers },
    );
  }

  const original = { ...fs };
  const replacements: PatchedFunctions = {
    openSync: ((path, flags, mode) => {
      const before = original.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const descriptor = original.openSync(path, flags, mode);
      const inside = pathInside(path);
      if (inside === undefined) return descriptor;
      const isFolder = original.fstatSync(descriptor).isDirectory();
      const file = isFolder ? undefined : (names.get(inside) ?? create(inside));
      open.set(descriptor, { path: inside === '' ? '.' : inside, file });
      if (typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0 && before > 0) truncate(file, 0);
      return descriptor;
    }) satisfies typeof fs.openSync,
    closeSync: ((descriptor) => {
      open.delete(descriptor);
      original.closeSync(descriptor);
    }) satisfies typeof fs.closeSync,
    // The parameters that NODEFS uses.
    writeSync: (descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number) => {
      const bytesWritten = original.writeSync(descriptor, buffer, offset, length, position);
      const file = open.get(descriptor)?.file;
      if (file !== undefined) {
        const data = Uint8Array.from(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, bytesWritten));
        operations.push({ kind: 'write', file, position, data });
      }
      return bytesWritten;
    },
    // Node's truncateSync calls it too.
    ftruncateSync: ((descriptor, size = 0) => {
      const before = original.fstatSync(descriptor).size;
      original.ftruncateSync(descriptor, size);
      if (size !== before) truncate(open.get(descriptor)?.file, size ?? 0);
    }) satisfies typeof fs.ftruncateSync,
    writeFileSync: ((path, data, options) => {
      const inside = pathInside(path);
      if (inside !== undefined && (data !== '' || names.has(inside)))
        throw new Error(`the recorder supports only new empty files, not ${inside}`);
      original.writeFileSync(path, data, options);
      // In some versions of Node, writeFileSync calls openSync, which has already recorded the file.
      if (inside !== undefined && !names.has(inside)) create(inside);
    }) satisfies typeof fs.writeFileSync,
    mkdirSync: (path: string, options: fs.MakeDirectoryOptions) => {
      const created = original.mkdirSync(path, options);
      const inside = pathInside(path);
      if (inside !== undefined) operations.push({ kind: 'folder', path: inside, exists: true });
      return created;
    },
    rmdirSync: (path: string) => {
      original.rmdirSync(path);
      const inside = pathInside(path);
      if (inside !== undefined) operations.push({ kind: 'folder', path: inside, exists: false });
    },
    renameSync: ((from, to) => {
      original.renameSync(from, to);
      const [old, fresh] = [pathInside(from), pathInside(to)];
      if (old === undefined || fresh === undefined) return;
      const file = names.get(old);
      const { folder, name } = place(old);
      if (file === undefined || folder !== dirname(fresh))
        throw new Error(`cannot record a rename from ${old} to ${fresh}`);
      names.delete(old);
      names.set(fresh, file);
      operations.push({ kind: 'rename', folder, from: name, to: basename(fresh), file });
    }) satisfies typeof fs.renameSync,
    unlinkSync: ((path) => {
      original.unlinkSync(path);
      const inside = pathInside(path);
      if (inside === undefined) return;
      names.delete(inside);
      operations.push({ kind: 'unlink', ...place(inside) });
    }) satisfies typeof fs.unlinkSync,
    fsyncSync: ((descriptor) => {
      original.fsyncSync(descriptor);
      recordFlush(descriptor, operations.length);
    }) satisfies typeof fs.fsyncSync,
    fsync: (descriptor: number, callback: (error: Error | null) => void) => {
      const covers = operations.length;
      const target = open.get(descriptor);
      original.fsync(descriptor, (error) => {
        if (error === null && open.get(descriptor) === target) recordFlush(descriptor, covers);
        callback(error);
      });
    },
  };
  const restore = Object.fromEntries(Object.keys(replacements).map((name) => [name, Reflect.get(original, name)]));
  Object.assign(fs, replacements);
  syncBuiltinESMExports();
  return {
    operations,
    files: initialFiles,
    stop() {
      Object.assign(fs, restore);
      syncBuiltinESMExports();
    },
  };
}
