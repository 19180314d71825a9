import type { Readable } from 'node:stream';
import type { DataType } from '../contract/passive-types.ts';

/** Where finished files are kept. */
export interface Storage {
  /**
   * Is told of a file that will be put soon and of which most is written, so that what storing takes can begin. What
   * goes wrong with it shows when it is put.
   */
  foresee(path: string): void;
  /**
   * Stores a finished file of the given size, which nobody else can change. It may move the file at `path`. When it
   * resolves, the file is stored completely and survives a power cut; when it fails, nothing is stored.
   *
   * @throws UnsafeFileError if it is not a regular file of this size with one link.
   */
  put(key: string, path: string, call: PutCall): Promise<PutResult>;
  /** Deletes a file; one that is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** The keys of all files, some at a time. */
  keys(): AsyncIterable<readonly string[]>;
  /**
   * Opens a part of a file. Later failures are errors of the stream.
   *
   * @throws LostFileError if there is no such file, or if it has another size; UnsafeFileError if something else has
   *   replaced it in a folder.
   */
  read(key: string, part: StoredPart, signal: AbortSignal): Promise<Readable>;
  /**
   * A link of the store's own that a file can be downloaded by without us, until it expires or a week is over. Only
   * where the store hands out such.
   */
  link?(key: string, method: 'GET' | 'HEAD', file: FileFacts): Promise<string>;
  /** The origin that such links lead to. */
  origin?(): Promise<string>;
  /** When a file was stored; undefined when there is no such file. */
  storedAt(key: string): Promise<Date | undefined>;
  /** The text of the store's mark (mark.ts), if it has one. */
  readMark(): Promise<string | undefined>;
  /** Writes the mark. Without `replace`, an existing mark stays, and the result is `false`. */
  writeMark(text: string, options: { readonly replace: boolean }): Promise<boolean>;
  /** Removes what storing left behind where it was cut short, and that nobody can be at work on any more. */
  sweep(): Promise<void>;
  /** Throws what keeps files from being stored. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What is known about a stored file. */
export interface PutResult {
  /** Its SHA-256 in base64, if storing it meant reading it. */
  readonly sha256?: string;
}

/** A part of a stored file. */
export interface StoredPart {
  /** The first and the last byte, both counted from 0. */
  readonly first: number;
  readonly last: number;
  /** Bytes of the whole file, as it was stored. */
  readonly size: number;
}

/** Options for storing a file. */
export interface PutCall {
  /** Required size in bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Called with the completed fraction, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** What is said of a file when it is downloaded. */
export interface FileFacts {
  readonly name: string;
  readonly type: DataType;
  readonly expiresAt: Date;
}
