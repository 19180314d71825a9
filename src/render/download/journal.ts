import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ifMissing } from '../../files/if-missing.ts';
import { openForWriting } from '../../files/open-file.ts';
import { readBytes, readTextFile } from '../../files/small-file.ts';
import { runInTurns, type Steps } from '../../waiting/steps.ts';

/**
 * Version of the format. It changes whenever the meaning of records does; journals with another version are ignored.
 */
const FORMAT = 2;
/**
 * Maximum size of a journal. Ten connections that each append a record every 250 ms for ten minutes write less than 2
 * MiB.
 */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum number of bytes to read from a journal. Allows for the last record, which may exceed the limit. */
const MAX_READ_BYTES = 2 * MAX_BYTES;
const CHECKSUM_DIGITS = 8;

/** A value of a record. A list contains the properties of one item, such as an input. */
type JournalValue = string | number | readonly (string | number)[];

/** A record: its kind, and its values. */
export type JournalRecord = readonly [kind: string, ...values: JournalValue[]];

/** The completed work of a download, recorded beside its file so that another process can resume it. */
export interface Journal {
  /** The records of an earlier process; empty if they cannot be trusted. */
  readonly records: readonly JournalRecord[];
  /** Appends a record of completed work. `clear` and `close` throw the errors of earlier writes. */
  append(record: JournalRecord): void;
  /** Deletes all records. */
  clear(): Promise<void>;
  /** Settles when everything is written. */
  close(): Promise<void>;
}

/**
 * Opens the journal at a path. `subject` is everything that its download depends on: records of another subject are
 * ignored. Records from before the last boot are ignored too, because data that had not reached the disk by then was
 * lost. Each record has a checksum, and nothing after an invalid one is read. Nothing is written with fsync: a record
 * is written after the data that it describes, and the system keeps both when a process dies.
 *
 * A checksum detects damage but not manipulation: records may be anything that {@link JournalRecord} allows, and their
 * readers validate them.
 *
 * @throws UnsafeFileError if it is not a regular file with one link.
 */
export async function openJournal(path: string, subject: unknown): Promise<Journal> {
  const boot = await bootId();
  const header: JournalRecord = ['journal', digestOf([FORMAT, boot ?? null, subject])];
  const file = await openForWriting(path, { keep: boot !== undefined, append: true });
  const { records, bytes } = await readAndTruncate(file, header).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  let size = bytes;
  let pendingLines = bytes === 0 ? lineOf(header) : '';
  let writing = Promise.resolve();
  let busy = false;
  let failure: unknown;

  async function write(): Promise<void> {
    try {
      while (pendingLines !== '') {
        const lines = pendingLines;
        pendingLines = '';
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
    append(record) {
      if (failure !== undefined || size + pendingLines.length > MAX_BYTES) return;
      pendingLines += lineOf(record);
      if (busy) return;
      busy = true;
      writing = write();
    },
    async clear() {
      await settle();
      await file.truncate(0);
      size = 0;
      pendingLines = lineOf(header);
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

/** Returns a digest of a JSON value. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Returns an identifier of the current boot, if the system has one. */
async function bootId(): Promise<string | undefined> {
  return (await readTextFile('/proc/sys/kernel/random/boot_id', 100).catch(ifMissing))?.trim();
}

/** Reads the valid part of a journal and truncates the rest. A journal over the size limit is discarded. */
async function readAndTruncate(file: FileHandle, header: JournalRecord) {
  const text = await readBytes(file, MAX_READ_BYTES + 1);
  const content = await runInTurns(readRecords(text.length > MAX_READ_BYTES ? Buffer.alloc(0) : text, header));
  await file.truncate(content.bytes);
  return content;
}

function lineOf(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `${checksum(Buffer.from(text))} ${text}\n`;
}

function checksum(text: Buffer): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/**
 * Returns the records after the header, which must match, up to the first damaged one, and the total number of bytes.
 */
function* readRecords(text: Buffer, header: JournalRecord): Steps<{ records: JournalRecord[]; bytes: number }> {
  const records: JournalRecord[] = [];
  let bytes = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', bytes)) {
    const body = text.subarray(bytes + CHECKSUM_DIGITS + 1, end);
    if (text.toString('latin1', bytes, end - body.length) !== `${checksum(body)} `) break;
    const record = readRecord(body.toString());
    if (record === undefined || (bytes === 0 && !isSame(record, header))) break;
    if (bytes > 0) records.push(record);
    bytes = end + 1;
    // A hundred thousand records take more than 100 ms.
    yield undefined;
  }
  return { records, bytes };
}

/** Parses a line; undefined if it is not a record. A valid checksum does not prove that the service wrote it. */
function readRecord(text: string): JournalRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(value) ? value : undefined;
}

function isRecord(record: unknown): record is JournalRecord {
  if (!Array.isArray(record) || typeof record[0] !== 'string') return false;
  return record.every((value) => isScalar(value) || (Array.isArray(value) && value.every(isScalar)));
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isSame(record: JournalRecord, other: JournalRecord): boolean {
  return record.length === other.length && record.every((value, index) => value === other[index]);
}
