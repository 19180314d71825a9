import { dataTypeOf } from '../../contract/passive-types.ts';
import type { FileFacts } from '../../storage/storage.ts';

/** What a job's row tells of its file. */
export interface FileRow {
  file_name: string;
  /** Bytes. */
  file_size: number;
  expires_at: Date;
}

/** What is said of a job's file to whoever downloads it. */
export function fileFacts({ file_name: name, expires_at: expiresAt }: FileRow): FileFacts {
  return { name, expiresAt, type: dataTypeOf(name) };
}
