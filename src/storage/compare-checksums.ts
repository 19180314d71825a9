import { createHash } from 'node:crypto';
import type { PutObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';

/** The store received other bytes than were sent. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';
}

/** What a client knows about its uploads. */
interface Checksums {
  /** Whether an ETag of the upload of this key was not the MD5 of what was sent; asked once for each upload. */
  differs(key: string): boolean;
  /** The upload of this key has failed. */
  forget(key: string): void;
  /** The store's ETags are no MD5, so they say nothing from now on. */
  ignoreETags(): void;
}

/**
 * Compares every upload of a client with what the store received. Each part is sent with `Content-MD5`, and the store
 * refuses a part that differs. Many stores that ignore that header report the MD5 of a part as its ETag, which is compared
 * here. Others report something else (S3 itself does for files encrypted with keys of AWS KMS or of the caller,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html), so a difference only says that the file must be read
 * back. No trailer is used, see `openS3Storage`.
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

/** Every command that uploads has a key. */
function keyOf(input: object): string {
  return 'Key' in input ? String(input.Key) : '';
}

interface UploadRequest {
  readonly method: 'PUT';
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** The client uses PUT for files, their parts and the mark, whose body is no buffer. */
function isUpload(request: unknown): request is UploadRequest {
  return typeof request === 'object' && request !== null && 'method' in request && request.method === 'PUT';
}

/** The ETag of an answer without its quotes, in lower case: some stores send an MD5 in capitals. */
function etagOf(output: object): string {
  // Both commands that upload have this member, when the store sends it.
  const { ETag = '' }: Pick<PutObjectCommandOutput, 'ETag'> = output;
  return ETag.replaceAll('"', '').toLowerCase();
}
