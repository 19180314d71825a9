import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { untilGone } from '../caller.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Sql } from '../database/database.ts';
import { dataHeaders } from '../inert-headers.ts';
import type { Sealer } from '../sealing.ts';
import type { Storage } from '../storage/storage.ts';
import { answerTo } from './asked-part.ts';
import { type FileRow, fileFacts } from './file-facts.ts';

/** What the download links need. */
export interface FileServices {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly sealer: Sealer;
  /** Whether callers are sent to the store itself, where it hands out links. */
  readonly redirect: boolean;
}

/**
 * Adds the download links, which are good until their job expires, wherever its file is kept: the service sends it,
 * whole or in ranges, or sends the caller on to a link of the store's own.
 */
export function addFileRoutes(app: FastifyInstance, { sql, storage, sealer, redirect }: FileServices): void {
  app.route<{ Params: { link: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:link/:name',
    compress: false,
    async handler(request, reply) {
      const key = keyOf(sealer, request.params.link);
      const [row] = await sql.query<FileRow>(
        `select file_name, file_size::float8 as file_size, expires_at from render_jobs
         where file_key = $1 and state = 'done' and expires_at > now()`,
        [key],
      );
      if (row === undefined)
        throw new MillraceError('expired', 'This file has expired and was deleted. Render it again.');
      if (!redirect || storage.link === undefined) return await sendFile(request, reply, key, row, storage);
      const link = await storage.link(key, request.method === 'HEAD' ? 'HEAD' : 'GET', fileFacts(row));
      return reply.header('cache-control', 'private, no-store').redirect(link, 302);
    },
  });
}

async function sendFile(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  key: string,
  row: FileRow,
  storage: Storage,
): Promise<FastifyReply> {
  const { expiresAt, ...file } = fileFacts(row);
  const size = row.file_size;
  // A key is never given to other bytes.
  const etag = `"${key}"`;
  // A range is a matter of GET alone (RFC 9110 §14.2).
  const { status, part } = answerTo(method === 'HEAD' ? { ...headers, range: undefined } : headers, etag, size);
  const hasBody = part !== undefined && method === 'GET' && size > 0;
  const body = hasBody ? await storage.read(key, part, untilGone(reply)) : undefined;
  if (hasBody && body === undefined)
    throw new MillraceError('unexpected_error', 'This file is missing from the storage. Start its job again.');

  reply.code(status).headers({
    'accept-ranges': 'bytes',
    etag,
    'cache-control': `private, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))}`,
  });
  if (status === 416) reply.header('content-range', `bytes */${size}`);
  if (part === undefined) return reply.send();
  if (status === 206) reply.header('content-range', `bytes ${part.first}-${part.last}/${size}`);
  return reply.headers({ ...dataHeaders(file), 'content-length': part.last - part.first + 1 }).send(body);
}

function keyOf(sealer: Sealer, link: string): string {
  const opened = sealer.open('file-link', link);
  if (typeof opened === 'object' && opened !== null && 'key' in opened && typeof opened.key === 'string')
    return opened.key;
  throw new MillraceError('not_found', 'There is no such file.');
}
