/** The result of checking a stored file; `hashed`: for the first time; `lost`: missing or damaged. */
export type FileCheck = 'hashed' | 'intact' | 'lost' | 'unreadable';

/** Metrics of stored files. */
export interface StoredFileMetrics {
  /** Counts a checked file. */
  fileChecked(result: FileCheck): void;
  /** Counts jobs whose file is missing or damaged. */
  filesLost(count: number): void;
}
