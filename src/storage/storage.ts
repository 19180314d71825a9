/** Where finished files are kept. */
export interface Storage {
  /**
   * Is told of a file that will be put soon and of which most is written, so that what storing takes can begin. What
   * goes wrong with it shows when it is put.
   */
  foresee(path: string): void;
  /**
   * Takes in a finished file; what lies at `path` may be moved away. `onProgress` hears the part that is done, 0 to 1.
   * Once it settles the file is there whole; when it fails nothing is.
   */
  put(key: string, path: string, call: { signal: AbortSignal; onProgress: (fraction: number) => void }): Promise<void>;
  /** Deletes a file; one that is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** The keys of all files. */
  keys(): Promise<string[]>;
  /** Where a file lies on this machine's disk. */
  locate(key: string): { readonly folder: string; readonly file: string };
  /** Throws what keeps files from being stored. */
  check(): Promise<void>;
}
