import { createHash } from 'node:crypto';
import type { PutObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';

/** Thrown if the store received different bytes than were sent. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';
}

/** Results of comparing a client's uploads. */
interface Checksums {
  /**
   * Whether an ETag in the upload of this key differed from the MD5 of the sent bytes. Call it once for each upload.
   */
  differs(key: string): boolean;
  /** Forgets the upload of this key, which has failed. */
  forget(key: string): void;
  /** Ignores ETags from now on, because the store's ETags are not MD5s. */
  ignoreETags(): void;
}

/**
 * Compares every upload of a client with the bytes that the store received. Each part is sent with `Content-MD5`, and
 * the store rejects a part that differs. Many stores that ignore that header report the MD5 of a part as its ETag,
 * which is compared here.
 *
 * Other stores report something else as the ETag. So does S3 itself for files encrypted with AWS KMS keys or with the
 * caller's keys (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html). So a difference only means that the
 * file must be read back. No trailer is used, see `openS3Storage`.
 */
export function compareChecksums(client: S3Client): Checksums {
  const different = new Set<string>();
  let trustsETags = true;
  client.middlewareStack.add(
    (next) => async (args) => {
      const { request } = args;
      const body = isUpload(request) ? request.body : undefined;
      if (!isUpload(request) || !Buffer.isBuffer(body)) return await next(args);
      const md5 = createHash('md5').update(body).digest();
      request.headers['content-md5'] = md5.toString('base64');
      const result = await next(args);
      if (trustsETags && etagOf(result.output) !== md5.toString('hex')) different.add(keyOf(args.input));
      return result;
    },
    { step: 'build', name: 'compareChecksums' },
  );
  return {
    differs: (key) => different.delete(key),
    forget(key) {
      different.delete(key);
    },
    ignoreETags() {
      trustsETags = false;
      different.clear();
    },
  };
}

/** Returns the key of an upload command; every such command has a key. */
function keyOf(input: object): string {
  return 'Key' in input ? String(input.Key) : '';
}

interface UploadRequest {
  readonly method: 'PUT';
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** Whether a request is an upload (PUT): of a file, of a part, or of the mark, whose body is not a buffer. */
function isUpload(request: unknown): request is UploadRequest {
  return typeof request === 'object' && request !== null && 'method' in request && request.method === 'PUT';
}

/** Returns the ETag of a response without its quotes, in lower case: some stores send an MD5 in upper case. */
function etagOf(output: object): string {
  // Both upload commands have this member if the store sends it.
  const { ETag = '' }: Pick<PutObjectCommandOutput, 'ETag'> = output;
  return ETag.replaceAll('"', '').toLowerCase();
}
