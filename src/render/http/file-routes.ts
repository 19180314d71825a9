import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MillraceError } from '../../contract/errors.ts';
import { untilGone } from '../../http/disconnected.ts';
import { dataHeaders } from '../../http/inert-headers.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Sealer } from '../../sealing/sealing.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import type { Storage, StoredPart } from '../../storage/storage.ts';
import { fileFacts } from '../jobs/file-facts.ts';
import { fileLost } from '../jobs/lost-files.ts';
import type { ResultFile, ResultFiles } from '../jobs/result-files.ts';
import { openPart } from '../stored-files/open-part.ts';
import { reportLost } from '../stored-files/report-lost.ts';
import { answerTo } from './requested-range.ts';

/** What the download links need. */
export interface FileServices {
  readonly files: ResultFiles;
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly metrics: Pick<Metrics, 'filesLost'>;
  /** Whether callers are sent to the store itself, where it hands out links. */
  readonly redirect: boolean;
}

/**
 * Adds the download links, which are good until their job expires, wherever its file is kept: the service sends it,
 * whole or in ranges, or sends the caller on to a link of the store's own.
 */
export function addFileRoutes(app: FastifyInstance, services: FileServices): void {
  const { files, storage, sealer, redirect } = services;
  app.route<{ Params: { link: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:link/:name',
    compress: false,
    async handler(request, reply) {
      const key = keyOf(sealer, request.params.link);
      const row = await findFile(files, key);
      if (!redirect || storage.link === undefined) return await sendFile(request, reply, key, row, services);
      const link = await storage.link(key, request.method === 'HEAD' ? 'HEAD' : 'GET', fileFacts(row));
      return reply.header('cache-control', 'private, no-store').redirect(link, 302);
    },
  });
}

/** @throws MillraceError `expired`, `file_lost` */
async function findFile(files: ResultFiles, key: string): Promise<ResultFile> {
  const row = await files.find(key);
  if (row?.state === 'done') return row;
  if (row?.error_code === 'file_lost') throw lostDownload();
  throw new MillraceError('expired', 'This file has expired and was deleted. Render it again.');
}

/** The job can be started again, but this link no longer leads to a file. */
function lostDownload(): MillraceError {
  const { code, message } = fileLost();
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
  // A key is never given to other bytes.
  const etag = `"${key}"`;
  // A range is a matter of GET alone (RFC 9110 §14.2).
  const { status, part } = answerTo(isHead ? { ...headers, range: undefined } : headers, etag, size);
  const reads = part !== undefined && size > 0;
  // HEAD reads the last byte, because the file may be lost.
  const read = reads ? { first: isHead ? part.last : part.first, last: part.last, size } : undefined;
  const opened = read === undefined ? undefined : await openOrLose(request, reply, key, read, services);
  if (isHead) opened?.destroy();
  const body = isHead ? undefined : opened;

  reply.code(status).headers({
    'accept-ranges': 'bytes',
    etag,
    'cache-control': `private, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))}`,
  });
  if (status === 416) reply.header('content-range', `bytes */${size}`);
  if (part === undefined) return reply.send();
  if (status === 206) reply.header('content-range', `bytes ${part.first}-${part.last}/${size}`);
  // Of the whole file, whichever part is sent (RFC 9530 §3).
  if (row.file_sha256 !== null) reply.header('repr-digest', `sha-256=:${row.file_sha256}:`);
  return reply.headers({ ...dataHeaders(file), 'content-length': part.last - part.first + 1 }).send(body);
}

/** Opens a part of a file. If the file is lost, its job becomes one that can be started again. */
async function openOrLose(
  { log }: FastifyRequest,
  reply: FastifyReply,
  key: string,
  part: StoredPart,
  { files, storage, metrics }: FileServices,
): Promise<Readable> {
  try {
    return await openPart(storage, key, part, untilGone(reply));
  } catch (error) {
    if (!(error instanceof LostFileError)) throw error;
    await reportLost(key, error, { files, storage, metrics, log });
    // It may also have expired meanwhile.
    await findFile(files, key);
    throw lostDownload();
  }
}

function keyOf(sealer: Sealer, link: string): string {
  const opened = sealer.open('file-link', link);
  if (typeof opened === 'object' && opened !== null && 'key' in opened && typeof opened.key === 'string')
    return opened.key;
  throw new MillraceError('not_found', 'There is no such file.');
}
