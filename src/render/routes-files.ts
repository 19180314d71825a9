import { send } from '@fastify/send';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import type { Sql } from '../database/database.ts';
import type { Sealer } from '../sealing.ts';
import type { Storage } from '../storage/storage.ts';
import { type FileRow, fileFacts } from './file-facts.ts';

/**
 * Adds the download links: files on disk are sent with ranges, those in a store by a signed link, and both until their
 * job expires.
 */
export function addFileRoutes(app: FastifyInstance, sql: Sql, storage: Storage, sealer: Sealer): void {
  const asItIs = { compress: false } as const;
  app.get<{ Params: { link: string; name: string } }>('/files/:link/:name', asItIs, async (request, reply) => {
    const key = keyOf(sealer, request.params.link);
    const [row] = await sql.query<FileRow>(
      `select file_name, expires_at from render_jobs where file_key = $1 and state = 'done' and expires_at > now()`,
      [key],
    );
    if (row === undefined)
      throw new MillraceError('expired', 'This file has expired and was deleted. Render it again.');
    const facts = fileFacts(row);
    const download = await storage.download(key, facts);
    if ('url' in download) return reply.header('cache-control', 'private, no-store').redirect(download.url, 302);
    const { folder, file } = download;
    const found = await send(request.raw, file, { root: folder, cacheControl: false, contentType: false });
    if (found.type !== 'file' && found.statusCode === 404) {
      throw new MillraceError('unexpected_error', 'This file is missing from the storage. Start its job again.');
    }
    const lifetime = Math.max(0, Math.floor((row.expires_at.getTime() - Date.now()) / 1000));
    return reply
      .code(found.statusCode)
      .headers({
        ...found.headers,
        'content-type': facts.mediaType,
        'content-disposition': contentDisposition(facts.name),
        'cache-control': `private, max-age=${lifetime}`,
        // What was fetched from elsewhere is never run as a page of ours.
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(found.stream);
  });
}

function keyOf(sealer: Sealer, link: string): string {
  const opened = sealer.open('file-link', link);
  if (typeof opened === 'object' && opened !== null && 'key' in opened && typeof opened.key === 'string')
    return opened.key;
  throw new MillraceError('not_found', 'There is no such file.');
}
