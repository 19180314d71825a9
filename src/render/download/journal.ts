import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { ifMissing } from '../../if-missing.ts';

/** Changes whenever the records' meaning does: those of another version of the service are not believed. */
const FORMAT = 1;
/** Records of one every quarter of a second, over ten connections and ten minutes, take less than one. */
const MAX_BYTES = 8 * 1024 * 1024;
const CHECKSUM_DIGITS = 8;

/** A record: its kind, and what it says. */
export type JournalRecord = readonly [kind: string, ...values: unknown[]];

/** What a download has done, written down beside its file so that another process can go on with it. */
export interface Journal {
  /** What was written down before this process; none where it is not to be believed. */
  readonly records: readonly JournalRecord[];
  /** Writes down what is done by now. What goes wrong with that is told by `clear` and `close`. */
  note(record: JournalRecord): void;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Settles when all is written down. */
  close(): Promise<void>;
}

/**
 * Opens the journal at a path. `subject` is all that its download depends on: records of another one are not believed,
 * nor those from before the machine's last start: what had not reached the disk by then is gone. Each record has a
 * checksum, and nothing behind one that does not fit is read. Nothing is written with fsync: a record follows what it
 * tells of, and the system keeps both when a process dies.
 */
export async function openJournal(path: string, subject: unknown): Promise<Journal> {
  const boot = await bootId();
  const first: JournalRecord = ['journal', digestOf([FORMAT, boot ?? null, subject])];
  const found = boot === undefined ? undefined : await readFile(path).catch(ifMissing);
  const { records, bytes } = readRecords(found ?? Buffer.alloc(0), first);
  const file = await open(path, 'a');
  await file.truncate(bytes);
  let size = bytes;
  let waiting = bytes === 0 ? lineOf(first) : '';
  let writing = Promise.resolve();
  let busy = false;
  let failure: unknown;

  async function write(): Promise<void> {
    try {
      while (waiting !== '') {
        const lines = waiting;
        waiting = '';
        size += lines.length;
        await file.appendFile(lines);
      }
    } catch (error) {
      failure = error;
    } finally {
      busy = false;
    }
  }
  async function settle(): Promise<void> {
    await writing;
    if (failure !== undefined) throw failure;
  }

  return {
    records,
    note(record) {
      if (failure !== undefined || size + waiting.length > MAX_BYTES) return;
      waiting += lineOf(record);
      if (busy) return;
      busy = true;
      writing = write();
    },
    async clear() {
      await settle();
      await file.truncate(0);
      size = 0;
      waiting = lineOf(first);
    },
    async close() {
      try {
        await settle();
      } finally {
        await file.close();
      }
    },
  };
}

/** A digest of a value that JSON can hold. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Tells one start of the machine from the next, where the system does. */
async function bootId(): Promise<string | undefined> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(ifMissing))?.trim();
}

function lineOf(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `${checksum(Buffer.from(text))} ${text}\n`;
}

function checksum(text: Buffer): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/** The records behind the first one, which must be as told, up to one that is damaged; and the bytes of all of them. */
function readRecords(text: Buffer, first: JournalRecord): { records: JournalRecord[]; bytes: number } {
  const records: JournalRecord[] = [];
  let bytes = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', bytes)) {
    const said = text.subarray(bytes + CHECKSUM_DIGITS + 1, end);
    if (text.toString('latin1', bytes, end - said.length) !== `${checksum(said)} `) break;
    // The checksum says that it is what lineOf() made of a record.
    const record = JSON.parse(said.toString()) as JournalRecord;
    if (bytes > 0) records.push(record);
    else if (!isDeepStrictEqual(record, first)) break;
    bytes = end + 1;
  }
  return { records, bytes };
}
