import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BlockIndex } from '../../blocks/block-index.ts';
import { receiptOf } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import { receiptMediaType } from '../../contract/receipt.ts';
import { linkRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import { sendDocument } from '../../http/cacheable-document.ts';
import { nextChunkSize } from '../../http/connections/download-memory.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import { inertFileHeaders } from '../../http/inert-headers.ts';
import { type Sealers, sealerOfLink } from '../../sealing/sealers.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import type { Storage, StoredPart } from '../../storage/storage.ts';
import { fileFacts } from '../jobs/file-facts.ts';
import { fileLostError } from '../jobs/lost-files.ts';
import type { ResultFile, ResultFiles } from '../jobs/result-files.ts';
import type { StoredFileMetrics } from '../stored-files/metrics-port.ts';
import { openStoredPart } from '../stored-files/open-stored-part.ts';
import { reportLostFile } from '../stored-files/report-lost-file.ts';
import { resolveRangeRequest } from './range-request.ts';

/** Dependencies of file downloads. */
interface FileServices {
  readonly files: ResultFiles;
  readonly storage: Storage;
  readonly sealers: Sealers;
  readonly metrics: Pick<StoredFileMetrics, 'filesLost'>;
  /** Whether callers are redirected to the store, if it provides links. */
  readonly redirect: boolean;
  readonly blocks: BlockIndex;
}

/**
 * Adds the routes that download finished files and their receipts until their job expires. The service sends the file,
 * whole or in ranges, or redirects to a store link.
 */
export function addFileRoutes(app: FastifyInstance, services: FileServices): void {
  const { files, storage, sealers, redirect, blocks } = services;
  addRoute(
    app,
    linkRoutes.downloadFile,
    async (request, reply) => {
      const key = openFileLink(sealers, request.params.link);
      const row = await findFile(files, key);
      const refusal = blocks.refusalOf(row.subjects ?? []);
      if (refusal !== undefined) throw refusal;
      // The name in a link is for the caller, who may change it. A file whose own name ends in .receipt is not a receipt.
      const { name } = request.params;
      const isReceipt = name.endsWith('.receipt') && name !== row.file_name;
      if (isReceipt) return await sendReceipt(request, reply, key, row, files);
      if (!redirect || storage.link === undefined) return await sendFile(request, reply, key, row, services);
      const link = await storage.link(key, request.method === 'HEAD' ? 'HEAD' : 'GET', fileFacts(row));
      return reply.header('cache-control', 'private, no-store').redirect(link, 302);
    },
    { compress: false, isDownload: true },
  );
}

/**
 * Returns the file with a key.
 *
 * @throws MillraceError `expired`, `file_lost`
 */
async function findFile(files: ResultFiles, key: string): Promise<ResultFile> {
  const row = await files.find(key);
  if (row?.state === 'done') return row;
  if (row?.error_code === 'file_lost') throw lostDownloadError();
  throw new MillraceError('expired', 'This file has expired or was deleted. Render it again.');
}

/** Returns the error for a lost file. The job can be started again, but this link will no longer lead to a file. */
function lostDownloadError(): MillraceError {
  const { code, message } = fileLostError();
  return new MillraceError(code, message, { retryable: false });
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  row: ResultFile,
  services: FileServices,
): Promise<FastifyReply> {
  const { method, headers } = request;
  const isHead = method === 'HEAD';
  const { expiresAt, ...file } = fileFacts(row);
  const size = row.file_size;
  // The bytes of a key never change, so the key identifies them.
  const etag = `"${key}"`;
  // Only GET supports ranges (RFC 9110 §14.2).
  const { status, range } = resolveRangeRequest(isHead ? { ...headers, range: undefined } : headers, etag, size);
  // HEAD reads the last byte to detect a lost file.
  const part =
    range === undefined || size === 0
      ? undefined
      : { first: isHead ? range.last : range.first, last: range.last, size };
  const source = part === undefined ? undefined : await openOrReportLost(request, reply, key, part, services);
  if (isHead) source?.destroy();
  const body = isHead ? undefined : source;

  reply.code(status).headers({
    'accept-ranges': 'bytes',
    etag,
    'cache-control': privateUntil(expiresAt),
  });
  if (status === 416) reply.header('content-range', `bytes */${size}`);
  if (range === undefined) return reply.send();
  if (status === 206) reply.header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  // The digest of the whole file, whatever the range (RFC 9530 §3).
  if (row.file_sha256 !== null) reply.header('repr-digest', `sha-256=:${row.file_sha256}:`);
  return reply.headers({ ...inertFileHeaders(file), 'content-length': range.last - range.first + 1 }).send(body);
}

/** Sends the receipt of a file. */
async function sendReceipt(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { file_name: name, expires_at: expiresAt }: ResultFile,
  files: ResultFiles,
): Promise<FastifyReply> {
  const receipt = await files.findReceipt(key);
  if (receipt === undefined) throw new MillraceError('not_found', 'This file has no receipt.');
  return sendDocument(request, reply, {
    body: receipt,
    headers: {
      ...inertFileHeaders({ type: receiptMediaType, name: receiptOf(name) }),
      etag: `"${key}.receipt"`,
      'cache-control': privateUntil(expiresAt),
    },
  });
}

/** Returns the `cache-control` header of a file that expires. */
function privateUntil(expiresAt: Date): string {
  return `private, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))}`;
}

/** Opens a part of a file. If the file is lost, marks its job as failed, so that it can be started again. */
async function openOrReportLost(
  { log, memory }: FastifyRequest,
  reply: FastifyReply,
  key: string,
  part: StoredPart,
  { files, storage, metrics }: FileServices,
): Promise<Readable> {
  try {
    const bounded = { ...part, nextChunkSize: () => nextChunkSize(memory) };
    return await openStoredPart(storage, key, bounded, disconnectSignal(reply));
  } catch (error) {
    if (!(error instanceof LostFileError)) throw error;
    await reportLostFile(key, error, { files, storage, metrics, log });
    // The file may also have expired in the meantime.
    await findFile(files, key);
    throw lostDownloadError();
  }
}

function openFileLink(sealers: Sealers, link: string): string {
  const content = sealerOfLink(sealers, 'file-link', link).open('file-link', link);
  if (typeof content === 'object' && content !== null && 'key' in content && typeof content.key === 'string')
    return content.key;
  throw new MillraceError('not_found', 'This file does not exist.');
}
