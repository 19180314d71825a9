import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readLicences } from './licences.ts';
import { readModules } from './modules.ts';

/** What the page is made of beside its document. */
export interface Assets {
  /** The folder of their addresses. It is named by what is in them, so that they may be kept for ever. */
  readonly folder: string;
  /** By path below that folder. */
  readonly files: ReadonlyMap<string, Asset>;
  /** Path of the page's first module. */
  readonly entry: string;
  /** Paths of the modules that are needed at once. */
  readonly preloads: readonly string[];
  /** Paths of packages by the names that modules import them by. */
  readonly packages: ReadonlyMap<string, string>;
}

/** A file in each form that it is sent in. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** One after another, they are the page's style. */
const styles = ['base', 'frame', 'answer', 'lists', 'files'];
const page = new URL('./page/', import.meta.url);
const ownExtension = extname(import.meta.url);

/** Reads and compresses everything. */
export async function readAssets(): Promise<Assets> {
  const { modules, packages } = await readModules(new URL(`main${ownExtension}`, page));
  const style = await Promise.all(styles.map((name) => readFile(new URL(`style/${name}.css`, page), 'utf8')));
  const texts: [path: string, text: string][] = [
    ...modules.map(({ path, code }): [string, string] => [path, code]),
    ['page.css', style.join('')],
    ['icon.svg', await readFile(new URL('icon.svg', page), 'utf8')],
    ['licences.txt', await readLicences([...packages.keys()])],
  ];
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
  const assets = texts.map(async ([path, text]) => [path, await pack(path, Buffer.from(text))] as const);
  return {
    folder: `assets/${digest.slice(0, 16)}`,
    files: new Map(await Promise.all(assets)),
    entry: `web/page/main${ownExtension}`,
    preloads: modules.filter(({ lazy }) => !lazy).map(({ path }) => path),
    packages,
  };
}

async function pack(path: string, plain: Buffer): Promise<Asset> {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  return {
    type: types[extname(path)] ?? 'text/javascript; charset=utf-8',
    plain,
    br: await promisify(brotliCompress)(plain, { params }),
    gzip: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  };
}
