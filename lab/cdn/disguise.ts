import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { bytesContent, type Content, contentBytes, generatedContent, textContent } from './content.ts';
import { FaultError, type Faults } from './faults.ts';

/** Compresses on another thread, so that no other response of the lab waits for it. */
const compress = promisify(gzip);
/** Number of zeros in one gzip member of a decompression bomb. */
const memberBytes = 16 * 1024 * 1024;
/** Maximum size in bytes of a file that is compressed; the limit exists because compression happens in memory. */
const gzipLimit = 64 * 1024 * 1024;

/** Size of an MPEG-TS packet in bytes. */
const transportPacketBytes = 188;

const page = textContent(
  '<!doctype html>\n<html><head><title>One moment</title></head><body><p>This page is no video.</p></body></html>\n',
  'text/html; charset=utf-8',
);

/**
 * Returns the content that the faults of a link serve instead of the real one. `number` is the number of this request
 * to the link, from 1.
 *
 * @throws FaultError when the content is not available in the requested form.
 */
export async function disguise(
  content: Content,
  { etagChange, html, instead, encoding, bomb }: Faults,
  number: number,
): Promise<Content> {
  const current = etagChange !== undefined && number >= etagChange ? await nextVersionOf(content) : content;
  const disguised = html ? page : instead === undefined ? current : await replaceContent(current, instead);
  if (bomb !== undefined) return await bombContent(disguised.type, bomb);
  return encoding === undefined ? disguised : gzipContent(disguised);
}

/** Replaces the body of the content. */
async function replaceContent(content: Content, by: NonNullable<Faults['instead']>): Promise<Content> {
  const own = await contentBytes(content);
  return bytesContent(replacements[by](own), content.type);
}

const replacements: Readonly<Record<NonNullable<Faults['instead']>, (own: Buffer) => Buffer>> = {
  empty: () => Buffer.alloc(0),
  json: () => Buffer.from('{"error":"token expired"}'),
  text: () => Buffer.from('Access denied\n'),
  page: () => Buffer.from('<!doctype html>\n<html><body>Sign in</body></html>\n'),
  tables: (own) => own.subarray(0, 3 * transportPacketBytes),
  third: (own) => own.subarray(0, Math.floor((own.length * 0.3) / transportPacketBytes) * transportPacketBytes),
  twice: (own) => Buffer.concat([own, own]),
};

/** Repeats a content's bytes without end. */
export function endlessContent(content: Content): Content {
  return {
    ...content,
    size: Number.POSITIVE_INFINITY,
    async *read(first, end) {
      if (content.size === 0) return;
      for (let at = first; at < end; ) {
        const start = at % content.size;
        const stop = Math.min(content.size, start + end - at);
        yield* content.read(start, stop);
        at += stop - start;
      }
    },
  };
}

async function nextVersionOf(content: Content): Promise<Content> {
  if (content.nextVersion === undefined)
    throw new FaultError('The fault etagChange needs media; this content has only one version.');
  return content.nextVersion();
}

async function gzipContent(content: Content): Promise<Content> {
  if (content.size > gzipLimit) throw new FaultError(`The fault encoding supports files of up to ${gzipLimit} bytes.`);
  return { ...bytesContent(await compress(await contentBytes(content)), content.type), encoding: 'gzip' };
}

/**
 * Returns zeros as gzip, compressed to about a thousandth of their size. A gzip file may have many members (RFC 1952
 * §2.2); all of them are equal.
 */
async function bombContent(type: string, inflatedSize: number): Promise<Content> {
  const member = await compress(Buffer.alloc(Math.min(memberBytes, inflatedSize)));
  const members = Math.floor(inflatedSize / memberBytes);
  const rest =
    inflatedSize % memberBytes === 0 ? Buffer.alloc(0) : await compress(Buffer.alloc(inflatedSize % memberBytes));
  const size = members * member.length + rest.length;
  const bomb = generatedContent(`bomb ${inflatedSize}`, type, size, function* () {
    for (let index = 0; index < members; index++) yield member;
    yield rest;
  });
  return { ...bomb, encoding: 'gzip' };
}
