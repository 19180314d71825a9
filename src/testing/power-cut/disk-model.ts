import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DiskOperation, FileId, Recording } from './record-disk.ts';

/** Bytes that a disk writes atomically. */
const SECTOR_BYTES = 512;
const PAGE_BYTES = 8_192;
/** Portion of torn pages among those with unflushed writes. Applies to files that keep any of these writes. */
const TORN_PAGE_SHARE = 0.3;

type Change = Extract<DiskOperation, { kind: 'write' | 'truncate' }>;
type EntryChange = Extract<DiskOperation, { kind: 'link' | 'unlink' | 'rename' }>;
interface Pending<Operation> {
  readonly at: number;
  readonly operation: Operation;
}

interface File {
  content: Buffer;
  pending: Pending<Change>[];
}

interface Folder {
  entries: Map<string, FileId>;
  pending: Pending<EntryChange>[];
}

/** A disk that keeps flushed data, and a random part of everything else. */
export interface Disk {
  /** Advances the recording to a point; points only increase. */
  advance(point: number): void;
  /** Writes the folder in the state after a power cut at this point. */
  writeAfterCut(folder: string, random: () => number): void;
}

/**
 * Creates a disk that contains a recorded folder.
 *
 * Between two flushes of a file, each of its 8 kB pages may have any of the contents that it had in the meantime, in
 * any order of writes. In a torn page this applies to each sector. The file may have any of the sizes that it had in
 * the meantime. Each new, renamed or deleted folder entry that was not flushed may be present or not. One third of the
 * files and folders keep all unflushed changes, and another third keep none, because a disk may write one file long
 * before another. The folders themselves count as flushed.
 *
 * @param honest Whether a flush has an effect.
 */
export function createDisk(root: string, recording: Recording, honest: boolean): Disk {
  const files = new Map<FileId, File>();
  const folders = new Map<string, Folder>();
  const folderAt = (path: string): Folder => {
    const folder = folders.get(path) ?? { entries: new Map(), pending: [] };
    folders.set(path, folder);
    return folder;
  };
  const fileAt = (id: FileId): File => {
    const file = files.get(id) ?? { content: Buffer.alloc(0), pending: [] };
    files.set(id, file);
    return file;
  };
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) folderAt(join(entry.parentPath, entry.name).slice(root.length + 1));
  }
  for (const [path, id] of recording.files) {
    files.set(id, { content: readFileSync(join(root, path)), pending: [] });
    folderAt(dirname(path)).entries.set(path.slice(path.lastIndexOf('/') + 1), id);
  }

  function record(operation: DiskOperation, at: number): void {
    switch (operation.kind) {
      case 'write':
      case 'truncate':
        fileAt(operation.file).pending.push({ at, operation });
        return;
      case 'folder':
        if (operation.exists) folderAt(operation.path);
        else folders.delete(operation.path);
        return;
      case 'flush':
        if (honest) flushFile(fileAt(operation.file), operation.covers);
        return;
      case 'flush folder':
        if (honest) flushFolder(folderAt(operation.folder), operation.covers);
        return;
      default:
        folderAt(operation.folder).pending.push({ at, operation });
    }
  }

  let appliedOperations = 0;
  return {
    advance(point) {
      for (const [at, operation] of recording.operations.slice(appliedOperations, point).entries())
        record(operation, appliedOperations + at);
      appliedOperations = point;
    },
    writeAfterCut(target, random) {
      for (const [path, { entries, pending }] of folders) {
        mkdirSync(join(target, path), { recursive: true, mode: 0o700 });
        const result = new Map(entries);
        const share = pickKeptShare(random);
        for (const { operation } of pending) if (random() < share) changeEntries(result, operation);
        for (const [name, id] of result) writeFileSync(join(target, path, name), contentAfterCut(fileAt(id), random));
      }
    },
  };
}

function flushFile(file: File, covers: number): void {
  for (const { operation } of file.pending.filter(({ at }) => at < covers))
    file.content = applyChange(file.content, operation);
  file.pending = file.pending.filter(({ at }) => at >= covers);
}

function flushFolder(folder: Folder, covers: number): void {
  for (const { operation } of folder.pending.filter(({ at }) => at < covers)) changeEntries(folder.entries, operation);
  folder.pending = folder.pending.filter(({ at }) => at >= covers);
}

function changeEntries(entries: Map<string, FileId>, operation: EntryChange): void {
  if (operation.kind === 'link') entries.set(operation.name, operation.file);
  else if (operation.kind === 'unlink') entries.delete(operation.name);
  else {
    entries.delete(operation.from);
    entries.set(operation.to, operation.file);
  }
}

/** Returns the content after an operation; it may be the same buffer, changed. */
function applyChange(content: Buffer, operation: Change): Buffer {
  if (operation.kind === 'truncate') return resize(content, operation.size);
  const { position, data } = operation;
  const long = position + data.length > content.length ? resize(content, position + data.length) : content;
  long.set(data, position);
  return long;
}

function resize(content: Buffer, size: number): Buffer {
  if (size <= content.length) return content.subarray(0, size);
  const longer = Buffer.alloc(size);
  longer.set(content);
  return longer;
}

/** Returns the portion of unflushed changes that is kept: none, half or all for a file or a folder. */
function pickKeptShare(random: () => number): number {
  return Math.floor(random() * 3) / 2;
}

/** Returns the remaining content of a file. */
function contentAfterCut({ content, pending }: File, random: () => number): Buffer {
  if (pending.length === 0) return content;
  const share = pickKeptShare(random);
  const any = () => Math.floor(random() * (pending.length + 1));
  const pickCut = () => (share === 0.5 ? any() : share * pending.length);
  const sizes = [content.length];
  for (const { operation } of pending) {
    const last = sizes.at(-1) ?? 0;
    sizes.push(
      operation.kind === 'truncate' ? operation.size : Math.max(last, operation.position + operation.data.length),
    );
  }
  const result = Buffer.alloc(sizes[pickCut()] ?? 0);
  result.set(content.subarray(0, result.length));
  for (const [page, changes] of changesByPage(pending, result.length)) {
    const whole = pickCut();
    const isTorn = share > 0 && random() < TORN_PAGE_SHARE;
    for (let sector = page; sector < Math.min(page + PAGE_BYTES, result.length); sector += SECTOR_BYTES) {
      const end = isTorn ? any() : whole;
      for (const { order, operation } of changes) if (order < end) changeSector(result, sector, operation);
    }
  }
  return result;
}

/** Returns the changes of each changed page, by the page's position, with their indexes among all changes. */
function changesByPage(pending: readonly Pending<Change>[], size: number) {
  const pages = new Map<number, { readonly order: number; readonly operation: Change }[]>();
  for (const [order, { operation }] of pending.entries()) {
    const from = operation.kind === 'truncate' ? operation.size : operation.position;
    const to = operation.kind === 'truncate' ? size : Math.min(size, from + operation.data.length);
    for (let page = from - (from % PAGE_BYTES); page < to; page += PAGE_BYTES) {
      const changes = pages.get(page) ?? [];
      changes.push({ order, operation });
      pages.set(page, changes);
    }
  }
  return pages;
}

function changeSector(content: Buffer, sector: number, operation: Change): void {
  const end = Math.min(sector + SECTOR_BYTES, content.length);
  if (operation.kind === 'truncate') {
    if (operation.size < end) content.fill(0, Math.max(operation.size, sector), end);
    return;
  }
  const { position, data } = operation;
  const [from, to] = [Math.max(position, sector), Math.min(position + data.length, end)];
  if (from < to) content.set(data.subarray(from - position, to - position), from);
}
