/** How reading a stored file back ended; `hashed`: for the first time; `lost`: missing or damaged. */
export type FileCheck = 'hashed' | 'intact' | 'lost' | 'unreadable';

/** The metrics of stored files. */
export interface StoredFileMetrics {
  /** Counts a stored file that was read back. */
  fileChecked(result: FileCheck): void;
  /** Counts jobs whose file is missing or damaged. */
  filesLost(count: number): void;
}
