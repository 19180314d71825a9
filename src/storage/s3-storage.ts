import { createHash, type Hash } from 'node:crypto';
import type { AgentOptions } from 'node:http';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  NoSuchKey,
  NotFound,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { create as contentDisposition } from 'content-disposition';
import { opaqueType } from '../contract/inert-media-types.ts';
import { validUrl } from '../contract/parse-url.ts';
import { openOutputFile } from '../files/output-file.ts';
import { ChecksumError, compareChecksums } from './compare-checksums.ts';
import { checkKey, isKey } from './file-keys.ts';
import { type LostFileError, missingFile, wrongSize } from './lost-file-error.ts';
import { openS3Mark } from './s3-mark.ts';
import type { FileMetadata, Storage } from './storage.ts';

/** The location of files in an S3-compatible store. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of the file keys: empty, or ending in a slash. */
  readonly prefix: string;
}

const PART_BYTES = 8 * 1024 * 1024;
const CONCURRENT_PARTS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** A store that sends and accepts no byte for this long is treated as unavailable. */
const SILENCE_TIMEOUT_MS = 30_000;
/** Maximum time until the store begins its response to a download. The request is then repeated. */
const READ_TIMEOUT_MS = 6_000;
const ATTEMPTS = 4;
/** Age of abandoned uploads: jobs live for at most a day, so an older upload belongs to no job. */
const UPLOAD_DEAD_AFTER_MS = 25 * 3_600_000;
/** Maximum lifetime of a link with a version 4 signature (AWS Signature Version 4, query parameters). */
const MAX_LINK_LIFETIME_S = 7 * 86_400;
/** Metadata that the store sends without a signed link. Signed links set the type and name themselves. */
const storedMetadata = { ContentType: opaqueType, ContentDisposition: 'attachment' } as const;

/**
 * Used for downloads. A caller that pauses leaves the connection to the store idle, perhaps for long. `openStoredPart`
 * detects silent stores, and callers' connections are limited elsewhere.
 */
const withoutLimit = { httpAgent: { maxSockets: Infinity }, httpsAgent: { maxSockets: Infinity } };

/**
 * Opens a storage that keeps files in an S3-compatible store. Endpoint, region and credentials come from the usual
 * `AWS_*` variables. With a custom endpoint, requests address the bucket by path, because few stores except AWS have a
 * host name for each bucket.
 *
 * @param silenceTimeout Maximum time in milliseconds without a byte in either direction, except while a download's
 * reader is slow.
 */
export function openS3Storage({ bucket, prefix }: S3Location, silenceTimeout = SILENCE_TIMEOUT_MS): Storage {
  const client = openClient({ socketTimeout: silenceTimeout });
  const reader = openClient({ socketTimeout: 0, ...withoutLimit });
  const checksums = compareChecksums(client);
  const locationOf = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };
  async function remove(key: string): Promise<void> {
    await client.send(new DeleteObjectCommand(locationOf(key)));
  }

  /** Reads a file back, and removes it if it differs from the sent one. */
  async function compareFile(key: string, sentSha256: string, signal: AbortSignal): Promise<void> {
    const { Body } = await client.send(new GetObjectCommand(locationOf(key)), { abortSignal: signal });
    const hash = createHash('sha256');
    // The SDK's type covers every platform; on Node it is the stream of the HTTP client.
    for await (const chunk of Body as Readable) hash.update(chunk);
    const receivedSha256 = hash.digest('base64');
    if (receivedSha256 === sentSha256) return;
    await remove(key);
    throw new ChecksumError(
      `the store received other bytes: their SHA-256 is ${receivedSha256} instead of ${sentSha256}`,
    );
  }

  return {
    hashesFiles: true,
    prepare() {
      // A part cannot be sent before it is completely written.
    },
    async put(key, path, { size, signal, onProgress }) {
      const output = await openOutputFile(path, size);
      const file = output.file.createReadStream({
        ...streamBounds(size),
        highWaterMark: 1024 * 1024,
        autoClose: false,
      });
      const hash = createHash('sha256');
      const body = Readable.from(hashChunks(file, hash));
      const upload = new Upload({
        client,
        params: { ...locationOf(key), ...storedMetadata, Body: body, ContentLength: size },
        partSize: PART_BYTES,
        queueSize: CONCURRENT_PARTS,
      });
      upload.on('httpUploadProgress', ({ loaded = 0 }) => onProgress(size === 0 ? 1 : Math.min(1, loaded / size)));
      const abort = () => upload.abort();
      signal.addEventListener('abort', abort, { once: true });
      let mayDiffer: boolean;
      try {
        signal.throwIfAborted();
        await upload.done();
        mayDiffer = checksums.differs(prefix + key);
      } catch (error) {
        checksums.forget(prefix + key);
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', abort);
        body.destroy();
        file.destroy();
        await output.close();
      }
      const { ContentLength: storedBytes } = await client.send(new HeadObjectCommand(locationOf(key)), {
        abortSignal: signal,
      });
      if (storedBytes !== undefined && storedBytes !== size) {
        await remove(key);
        throw new Error(`the store has ${storedBytes} bytes instead of ${size}`);
      }
      const sha256 = hash.digest('base64');
      // A store need not state the size in its response to HEAD (RFC 9110 §9.3.2).
      if (mayDiffer || storedBytes === undefined) await compareFile(key, sha256, signal);
      if (mayDiffer) checksums.ignoreETags();
      return { sha256 };
    },
    delete: remove,
    async *keys() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        yield Contents.map(({ Key = '' }) => Key.slice(prefix.length)).filter(isKey);
      }
    },
    async read(key, { first, last, size }, signal) {
      const command = new GetObjectCommand({ ...locationOf(key), Range: `bytes=${first}-${last}` });
      const options = { abortSignal: signal, requestTimeout: READ_TIMEOUT_MS };
      const { Body, ContentRange } = await reader.send(command, options).catch((error: unknown) => {
        throw lostFileErrorOf(error, key, size) ?? error;
      });
      // The SDK's type covers every platform; on Node it is the stream of the HTTP client.
      const body = Body as Readable;
      const [, begin, whole] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(ContentRange ?? '') ?? [];
      if (whole === String(size) && begin === String(first)) return body;
      body.destroy();
      if (whole !== undefined && whole !== String(size)) throw wrongSize(key, whole, size);
      throw new Error(`the store responded to a range of ${size} bytes with ${ContentRange ?? 'no Content-Range'}`);
    },
    link: (key, method, file) => signedLink(client, locationOf(key), method, file),
    async origin() {
      // Only the client knows the host.
      return validUrl(await getSignedUrl(client, new HeadBucketCommand({ Bucket: bucket }))).origin;
    },
    async storedAt(key) {
      const head = await client.send(new HeadObjectCommand(locationOf(key))).catch((error: unknown) => {
        // A HEAD response has no body that could name the error.
        if (error instanceof NotFound || error instanceof NoSuchKey) return undefined;
        throw error;
      });
      return head?.LastModified;
    },
    ...openS3Mark(client, bucket, prefix),
    sweep: () => abortDeadUploads(client, bucket, prefix),
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
    async close() {
      client.destroy();
      reader.destroy();
    },
  };
}

/** Options of the SDK's HTTP handler (@smithy/node-http-handler 4.14.2). */
interface HandlerOptions {
  /** Milliseconds without a byte; 0: no limit. */
  readonly socketTimeout: number;
  readonly httpAgent?: AgentOptions;
  readonly httpsAgent?: AgentOptions;
}

function openClient(handler: HandlerOptions): S3Client {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  return new S3Client({
    region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
    forcePathStyle: endpoint !== undefined,
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      // Applies to calls that set `requestTimeout`.
      throwOnRequestTimeout: true,
      ...handler,
    },
    // Many stores keep the trailer with such a checksum as part of the file (s3rver 3.7.1, seen 2026-11-20).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/**
 * Returns the bounds of a stream, from which the client takes its length (lib-storage 3.1169.0). An empty file has no
 * bounds.
 */
function streamBounds(size: number): { start: number; end: number } | undefined {
  return size === 0 ? undefined : { start: 0, end: size - 1 };
}

/** Returns a signed link. The signature covers the method, too. */
function signedLink(
  client: S3Client,
  locationOf: { Bucket: string; Key: string },
  method: 'GET' | 'HEAD',
  file: FileMetadata,
): Promise<string> {
  const seconds = Math.floor((file.expiresAt.getTime() - Date.now()) / 1000);
  const parameters = {
    ...locationOf,
    ResponseContentDisposition: contentDisposition(file.name),
    ResponseContentType: file.type,
  };
  const command = method === 'HEAD' ? new HeadObjectCommand(parameters) : new GetObjectCommand(parameters);
  return getSignedUrl(client, command, { expiresIn: Math.min(Math.max(seconds, 1), MAX_LINK_LIFETIME_S) });
}

/** Returns the loss that a download error indicates; undefined if the error may be temporary. */
function lostFileErrorOf(error: unknown, key: string, size: number): LostFileError | undefined {
  if (error instanceof NoSuchKey) return missingFile(key, error);
  // The file ends before the range begins (RFC 9110 §15.5.17).
  const isOutside = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416;
  return isOutside ? wrongSize(key, 'too few', size, error) : undefined;
}

/** Yields the chunks of a file and adds them to a hash. */
async function* hashChunks(file: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Aborts uploads that never finished: their parts cost as much as a file, and no listing of files includes them. */
async function abortDeadUploads(client: S3Client, bucket: string, prefix: string): Promise<void> {
  const listing = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
  const { Uploads = [] } = await client.send(listing).catch(ifListingUnsupported);
  for (const { Key = '', UploadId, Initiated } of Uploads) {
    if (!isKey(Key.slice(prefix.length)) || Initiated === undefined) continue;
    if (Date.now() - Initiated.getTime() < UPLOAD_DEAD_AFTER_MS) continue;
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  }
}

/**
 * Handles small stores that do not list running uploads (s3rver 3.7.1, seen 2026-11-21). They must clean up themselves.
 */
function ifListingUnsupported(error: unknown): ListMultipartUploadsCommandOutput {
  if (error instanceof S3ServiceException && error.name === 'NotImplemented') return { $metadata: error.$metadata };
  throw error;
}
