import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { MARK_NAME, MAX_MARK_BYTES } from './identity-mark.ts';
import type { Storage } from './storage.ts';

/** Reads and writes the mark of a store in a bucket: a small object under the prefix. */
export function openS3Mark(client: S3Client, bucket: string, prefix: string): Pick<Storage, 'readMark' | 'writeMark'> {
  const location = { Bucket: bucket, Key: prefix + MARK_NAME };

  async function readMark(): Promise<string | undefined> {
    const response = await client.send(new GetObjectCommand(location)).catch((error: unknown) => {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    });
    if (response?.Body === undefined) return undefined;
    if ((response.ContentLength ?? 0) <= MAX_MARK_BYTES) return await response.Body.transformToString();
    await response.Body.transformToWebStream().cancel();
    // Too long for a mark, so it is treated as an unreadable one.
    return '';
  }

  async function putMark(text: string, condition: { IfNoneMatch?: string }): Promise<void> {
    await client.send(new PutObjectCommand({ ...location, ...condition, Body: text, ContentType: 'application/json' }));
  }

  return {
    readMark,
    async writeMark(text, { replace }) {
      if (!replace && (await readMark()) !== undefined) return false;
      try {
        await putMark(text, replace ? {} : { IfNoneMatch: '*' });
        return true;
      } catch (error) {
        if (!(error instanceof S3ServiceException)) throw error;
        if (error.name === 'PreconditionFailed' || error.name === 'ConditionalRequestConflict') return false;
        if (error.name !== 'NotImplemented') throw error;
        // The store has no conditional writes, so the caller reads the mark back.
        await putMark(text, {});
        return true;
      }
    },
  };
}
