import { fstatSync, readSync, type WriteVResult, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Where a fault occurs: in a write to a file, or in a copy to memory. */
export const faultSites = ['file', 'memory'] as const;

/** How stored bytes can differ from those that arrived. */
const faultKinds = ['drop', 'cut', 'zero', 'swap', 'repeat', 'misplace'] as const;

type Site = (typeof faultSites)[number];

/** A fault of one of the writes or copies. */
export interface ArrivalFault {
  readonly site: Site;
  /** Index of the write or copy since the fault was armed. */
  readonly index: number;
  /** Selects what happens to which bytes. */
  readonly random: () => number;
}

/** Bytes that can be written at any position, without the faults. */
interface Store {
  readonly size: number;
  read(at: number, length: number): Buffer;
  write(at: number, bytes: Buffer): void;
}

/** Damages bytes on their way from a connection to the files of a job, as a faulty disk or program would. */
export interface FaultyStorage {
  /** Arms a fault, or none, and counts from 0 again. */
  arm(fault?: ArrivalFault): void;
  /** Number of writes and copies since then. */
  readonly counts: Readonly<Record<Site, number>>;
  /** What the armed fault has done; undefined if it has not occurred. */
  readonly damage: string | undefined;
  /** Ends all faults. */
  restore(): void;
}

/** Replaces the functions with which downloads store bytes, in this process, until they are restored. */
export async function createFaultyStorage(): Promise<FaultyStorage> {
  const files = await prototypeOfFiles();
  const { writev } = files;
  const { copy } = Buffer.prototype;
  let fault: ArrivalFault | undefined;
  let counts = { file: 0, memory: 0 };
  let damage: string | undefined;

  /** Returns whether the armed fault occurred in the place of a write. */
  function occurs(site: Site, bytes: Buffer, at: number, store: Store): boolean {
    const index = counts[site];
    counts[site] += 1;
    if (fault?.site !== site || fault.index !== index || bytes.length === 0) return false;
    damage = `${site} ${index}: ${damageWrite(bytes, at, store, fault.random)}`;
    return true;
  }

  files.writev = async function writeFaulty<Views extends readonly NodeJS.ArrayBufferView[]>(
    this: FileHandle,
    buffers: Views,
    position?: number,
  ) {
    const bytes = Buffer.concat(buffers.map((view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)));
    if (!occurs('file', bytes, position ?? 0, storeIn(this))) {
      return (await writev.call(this, buffers, position)) as WriteVResult<Views>;
    }
    return { bytesWritten: bytes.length, buffers };
  };
  Buffer.prototype.copy = function copyFaulty(this: Buffer, target: Uint8Array, at = 0, from = 0, end = this.length) {
    if (!isDownload(new Error().stack)) return copy.call(this, target, at, from, end);
    const bytes = Buffer.from(this.subarray(from, Math.min(end, from + target.length - at)));
    const memory = Buffer.from(target.buffer, target.byteOffset, target.byteLength);
    if (!occurs('memory', bytes, at, storeInMemory(memory, copy))) copy.call(bytes, memory, at);
    return bytes.length;
  };
  return {
    arm(next) {
      fault = next;
      counts = { file: 0, memory: 0 };
      damage = undefined;
    },
    get counts() {
      return counts;
    },
    get damage() {
      return damage;
    },
    restore() {
      files.writev = writev;
      Buffer.prototype.copy = copy;
    },
  };
}

async function prototypeOfFiles(): Promise<Pick<FileHandle, 'writev'>> {
  const file = await open(import.meta.filename);
  await file.close();
  return Object.getPrototypeOf(file);
}

/** Whether a copy was made by a download, rather than by Node.js or a test. */
function isDownload(stack = ''): boolean {
  return /^.*\n.*copyFaulty.*\n.*render\/download\/(?!testing)/.test(stack);
}

function storeIn({ fd }: FileHandle): Store {
  return {
    get size() {
      return fstatSync(fd).size;
    },
    read(at, length) {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
    },
    write: (at, bytes) => void writeSync(fd, bytes, 0, bytes.length, at),
  };
}

function storeInMemory(memory: Buffer, copy: Buffer['copy']): Store {
  return {
    size: memory.length,
    read: (at, length) => Buffer.from(memory.subarray(at, at + length)),
    write: (at, bytes) => void copy.call(bytes, memory, at),
  };
}

/** Writes bytes wrongly. Returns a description. */
function damageWrite(bytes: Buffer, at: number, store: Store, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const kind = faultKinds[below(faultKinds.length)] ?? 'drop';
  const from = below(bytes.length);
  const end = from + 1 + below(bytes.length - from);
  const elsewhere = below(store.size + bytes.length);
  const piece = Buffer.from(bytes.subarray(from, end));
  switch (kind) {
    case 'drop':
      break;
    case 'cut':
      store.write(at, bytes.subarray(0, from));
      break;
    case 'zero':
      store.write(at, Buffer.from(bytes).fill(0, from, end));
      break;
    case 'swap': {
      const other = store.read(elsewhere, piece.length);
      store.write(at, bytes);
      store.write(elsewhere, piece);
      store.write(at + from, other);
      break;
    }
    case 'repeat':
      store.write(at, bytes);
      store.write(elsewhere, piece);
      break;
    case 'misplace':
      store.write(elsewhere, bytes);
      break;
  }
  return `${kind} ${from}-${end} of ${bytes.length} bytes at ${at}, elsewhere ${elsewhere}`;
}
