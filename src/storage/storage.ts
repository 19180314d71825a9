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
   * Takes in a finished file of so many bytes, which nobody else can change: what lies at `path` may be moved away. Once
   * it settles the file is there whole; when it fails nothing is.
   *
   * @throws UnsafeFileError for anything but a regular file of this size with one link.
   */
  put(key: string, path: string, call: PutCall): Promise<void>;
  /** Deletes a file; one that is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** The keys of all files, some at a time. */
  keys(): AsyncIterable<readonly string[]>;
  /**
   * Opens a part of a file, by its first and last byte; undefined when there is no such file. What goes wrong later is
   * the stream's error.
   *
   * @throws UnsafeFileError when a link or a shorter file has taken the place of the file in a folder.
   */
  read(key: string, part: { first: number; last: number }, signal: AbortSignal): Promise<Readable | undefined>;
  /**
   * A link of the store's own that a file can be downloaded by without us, until it expires or a week is over. Only
   * where the store hands out such.
   */
  link?(key: string, method: 'GET' | 'HEAD', file: FileFacts): Promise<string>;
  /** The origin that such links lead to. */
  origin?(): Promise<string>;
  /** Removes what storing left behind where it was cut short, and that nobody can be at work on any more. */
  sweep(): Promise<void>;
  /** Throws what keeps files from being stored. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** How a file is put. */
export interface PutCall {
  /** Bytes that the file must have. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Hears the part that is done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** What is said of a file when it is downloaded. */
export interface FileFacts {
  readonly name: string;
  readonly type: DataType;
  readonly expiresAt: Date;
}
