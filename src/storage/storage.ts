import type { Readable } from 'node:stream';
import type { InertType } from '../contract/inert-media-types.ts';

/** The store of finished files. */
export interface Storage {
  /** Whether `put` always returns the hash of the file, because it reads the file to send it. */
  readonly hashesFiles?: true;
  /** Prepares to store a file that is mostly written and will be stored soon. Errors are reported by `put`. */
  prepare(path: string): void;
  /**
   * Stores a finished file of the given size, which nobody else can change. The call may move the file at `path`. When
   * it resolves, the file is completely stored and survives a power cut; when it fails, nothing is stored.
   *
   * @throws UnsafeFileError if it is not a regular file of this size with one link.
   */
  put(key: string, path: string, call: PutOptions): Promise<PutResult>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
  /** Lists the keys of all files in batches. */
  keys(): AsyncIterable<readonly string[]>;
  /**
   * Opens a part of a file. Later failures are errors of the stream.
   *
   * @throws LostFileError if the file does not exist or has a different size; UnsafeFileError if something else has
   * replaced it in a folder.
   */
  read(key: string, part: StoredPart, signal: AbortSignal): Promise<Readable>;
  /**
   * Returns a link to the store for a direct download, valid until the file expires or for a week. Only for stores that
   * support such links.
   */
  link?(key: string, method: 'GET' | 'HEAD', file: FileMetadata): Promise<string>;
  /** Returns the origin of such links. */
  origin?(): Promise<string>;
  /** Returns when a file was stored; undefined if it does not exist. */
  storedAt(key: string): Promise<Date | undefined>;
  /** Reads the text of the store's mark (identity-mark.ts), if it has one. */
  readMark(): Promise<string | undefined>;
  /** Writes the mark. Without `replace`, an existing mark stays, and the result is `false`. */
  writeMark(text: string, options: { readonly replace: boolean }): Promise<boolean>;
  /** Removes remains of interrupted writes that no process can be working on. */
  sweep(): Promise<void>;
  /** Returns the bytes that can still be written to the store. Only for stores on a disk. */
  freeBytes?(): Promise<number>;
  /** Checks that files can be stored. @throws The error that storing would fail with. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The result of storing a file. */
export interface PutResult {
  /** SHA-256 in base64, if storing the file included reading it. */
  readonly sha256?: string;
}

/** A part of a stored file. */
export interface StoredPart {
  /** First and last byte, both counted from 0. */
  readonly first: number;
  readonly last: number;
  /** Bytes of the whole file when it was stored. */
  readonly size: number;
  /**
   * Returns the number of bytes that the reader can hold next. Stores whose chunks have another size, which is smaller
   * than 128 KiB, ignore it. Default: 256 KiB.
   */
  readonly nextChunkSize?: () => number;
}

/** Options for storing a file. */
interface PutOptions {
  /** Required size in bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Called with the completed fraction, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** The metadata of a file in download responses. */
export interface FileMetadata {
  readonly name: string;
  readonly type: InertType;
  readonly expiresAt: Date;
}
