import { once } from 'node:events';
import { Readable } from 'node:stream';
import { MillraceError } from '../../contract/errors.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import type { Storage, StoredPart } from '../../storage/storage.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';

/** Maximum time without data from the store, in milliseconds. */
interface StoreTimeouts {
  /** Until the first byte, including all retries. */
  readonly firstByte: number;
  /** Between two bytes while the caller waits. The timeout triggers after half of this time at the earliest. */
  readonly silence: number;
}

const defaultTimeouts: StoreTimeouts = { firstByte: 15_000, silence: 20_000 };

/**
 * Opens a part of a stored file, and settles when its first byte has arrived. The stream ends successfully only after
 * all bytes of the part. It fails if the store sends fewer or more bytes, or stops sending. Otherwise a response would
 * end short of its Content-Length and leave the caller waiting until the idle connection is closed.
 *
 * @throws LostFileError; MillraceError `service_unavailable` if the store fails, does not respond or cannot read the
 * file; the signal's reason.
 */
export async function openStoredPart(
  storage: Pick<Storage, 'read'>,
  key: string,
  part: StoredPart,
  signal: AbortSignal,
  limits = defaultTimeouts,
): Promise<Readable> {
  // AbortSignal.timeout would later abort the stream as well.
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error('the store has not sent the first byte in time')),
    limits.firstByte,
  );
  try {
    return await openAndAwaitFirstByte(storage, key, part, AbortSignal.any([signal, late.signal]), limits);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LostFileError) throw error;
    if (late.signal.aborted) throw storeSilentError(late.signal.reason);
    throw isUnreadable(error) ? fileUnreadableError(key, error) : storeSilentError(error);
  } finally {
    clearTimeout(timer);
  }
}

function storeSilentError(cause: unknown): MillraceError {
  return new MillraceError('service_unavailable', 'The file store does not respond. Try again in a moment.', { cause });
}

/** Whether the store responds, but this file cannot be read: errors of the file, its permissions or its disk. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof UnsafeFileError) return true;
  return error instanceof Error && 'code' in error && ['EIO', 'EACCES', 'EPERM'].includes(String(error.code));
}

/** Returns the error for an unreadable file. Its cause, which is logged, tells the operator what to do. */
function fileUnreadableError(key: string, error: unknown): MillraceError {
  const remedy =
    error instanceof UnsafeFileError
      ? 'restore it as a regular file with one link, or delete it, so that its job can be started again'
      : 'check the disk and the permissions of the store; if the file is damaged, delete it';
  return new MillraceError(
    'service_unavailable',
    'The store cannot read this file. If that does not change, the operator of this service must repair the store.',
    { cause: new Error(`the stored file ${key} cannot be read: ${remedy}`, { cause: error }) },
  );
}

async function openAndAwaitFirstByte(
  storage: Pick<Storage, 'read'>,
  key: string,
  part: StoredPart,
  signal: AbortSignal,
  { silence }: StoreTimeouts,
): Promise<Readable> {
  const opening = storage.read(key, part, signal);
  const source = await untilAborted(opening, signal).catch((error: unknown) => {
    // Closes a stream that opens too late.
    opening.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  });
  const checked = expectBytes(source, part.last - part.first + 1, silence);
  try {
    await once(checked, 'readable', { signal });
    return checked;
  } catch (error) {
    checked.destroy();
    throw error;
  }
}

/** Passes on the source's bytes. Fails if there are fewer or more than `bytes`, or if the store stops sending. */
function expectBytes(source: Readable, bytes: number, silence: number): Readable {
  const chunks: AsyncIterator<Buffer, unknown> = source[Symbol.asyncIterator]();
  let bytesReceived = 0;

  async function forwardChunk(): Promise<void> {
    const next = await rejectIfSilent(chunks.next(), () => stream.readableLength, silence);
    if (next.done === true) {
      if (bytesReceived < bytes)
        throw new Error(`the store ended the stream after ${bytesReceived} of the ${bytes} bytes of the part`);
      stream.push(null);
      return;
    }
    bytesReceived += next.value.length;
    if (bytesReceived > bytes) throw new Error(`the store sent more than the ${bytes} bytes of the part`);
    stream.push(next.value);
  }

  const stream = new Readable({
    // Nothing is read ahead: a reader that stops holds one chunk of the source.
    highWaterMark: 0,
    read() {
      forwardChunk().catch((error: unknown) => this.destroy(asError(error)));
    },
    destroy(error, callback) {
      source.destroy();
      callback(error);
    },
  });
  // The source may fail before it is read.
  source.on('error', (error) => stream.destroy(error));
  return stream;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the store failed in the middle of a file', { cause: error });
}

/**
 * Waits for the store's next bytes, or for its end. Fails if two consecutive checks find nothing left for the reader: a
 * single check may run late, after the process was paused. A slow reader does not trigger this, because bytes that have
 * arrived are buffered for it.
 */
async function rejectIfSilent<T>(next: Promise<T>, bufferedBytes: () => number, silence: number): Promise<T> {
  const silent = Promise.withResolvers<never>();
  let silentChecks = 0;
  const timer = setInterval(() => {
    silentChecks = bufferedBytes() === 0 ? silentChecks + 1 : 0;
    if (silentChecks > 1) silent.reject(new Error('the store stopped sending in the middle of a file'));
  }, silence / 2);
  try {
    return await Promise.race([next, silent.promise]);
  } finally {
    clearInterval(timer);
  }
}
