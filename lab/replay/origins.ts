import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bodyIdentity, type Origin, type Recording, readObject, readUnpacked } from './recording.ts';

/** Properties of a recording that are read before any request for it. */
export type Description = Pick<Recording, 'format' | 'date' | 'origin'>;

/** Describes a file. Each rule knows one form in which recordings contain their origin, and the first match wins. */
export async function describe(file: string, captures: Captures): Promise<Description> {
  const plain = file.replace(/\.gz$/, '');
  const capture = captures.get(plain);
  if (capture !== undefined) return capture;
  if (plain.endsWith('.json')) return describeJson(file);
  if (plain.endsWith('.m3u8')) return describePlaylist(file);
  if (plain.endsWith('.html') && !captures.covers(file)) return describePage(file);
  return unknown;
}

const unknown: Description = { format: 'body', date: '' };

/** Content of `capture.txt` files: one row per page with its name, its day and the command that fetched it. */
interface Captures {
  get(file: string): Description | undefined;
  /** Returns whether a capture.txt is beside the file, in which case the origin is not guessed. */
  covers(file: string): boolean;
}

/** Reads the `capture.txt` files among the given files. */
export async function readCaptures(files: readonly string[]): Promise<Captures> {
  const rows = new Map<string, Description>();
  const folders = new Set<string>();
  for (const file of files.filter((name) => path.basename(name) === 'capture.txt')) {
    folders.add(path.dirname(file));
    for (const line of (await readFile(file, 'utf8')).split('\n')) {
      const [, name, date = '', address = ''] = /^([\w-]+)\t(\d{4}-\d\d-\d\d)\t.*'(https:[^']+)'/.exec(line) ?? [];
      const origin = page(address);
      if (name === undefined || origin === undefined) continue;
      rows.set(path.join(path.dirname(file), `${name}.html`), { format: 'body', date, origin });
    }
  }
  return { get: (file) => rows.get(file), covers: (file) => folders.has(path.dirname(file)) };
}

/** Describes a JSON file: an exchange with its request, a player's metadata, or the body of an unknown request. */
async function describeJson(file: string): Promise<Description> {
  const metadata = /^metadata_(x[a-z0-9]+)\.json/.exec(path.basename(file))?.[1];
  if (metadata !== undefined) {
    return withOrigin(page(`https://www.dailymotion.com/player/metadata/video/${metadata}`));
  }
  const { source, request, response } = readObject(JSON.parse((await readUnpacked(file)).toString()));
  if (request === undefined || response === undefined) return unknown;
  const { method, url, body } = readObject(request);
  const date = readObject(source).date;
  const address = typeof url === 'string' ? URL.parse(url) : null;
  return {
    format: 'exchange',
    date: typeof date === 'string' ? date : '',
    ...(address === null
      ? {}
      : {
          origin: { method: typeof method === 'string' ? method : 'GET', url: address, identity: bodyIdentity(body) },
        }),
  };
}

/**
 * Describes a master playlist. It belongs to the address in the metadata beside it. The signature in that address has
 * expired.
 */
async function describePlaylist(file: string): Promise<Description> {
  const id = /^master_(x[a-z0-9]+)\.m3u8/.exec(path.basename(file))?.[1];
  if (id === undefined) return unknown;
  const text = await readFile(path.join(path.dirname(file), `metadata_${id}.json`), 'utf8').catch(() => '{}');
  const { auto } = readObject(readObject(JSON.parse(text)).qualities);
  const { url } = readObject(Array.isArray(auto) ? auto[0] : undefined);
  const address = typeof url === 'string' ? URL.parse(url) : null;
  return withOrigin(address === null ? undefined : page(`${address.origin}${address.pathname}`));
}

/** Describes a page, which names its own address. */
async function describePage(file: string): Promise<Description> {
  const text = (await readUnpacked(file)).toString();
  const address =
    /<link rel="canonical" href="(https:[^"]+)"/.exec(text)?.[1] ??
    /<meta property="og:url" content="(https:[^"]+)"/.exec(text)?.[1];
  return withOrigin(address === undefined ? undefined : page(address));
}

function withOrigin(origin: Origin | undefined): Description {
  return origin === undefined ? unknown : { ...unknown, origin };
}

function page(address: string): Origin | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : { method: 'GET', url, identity: '' };
}
