import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { packageFile } from '../files/package-files.ts';

/** The files of the page besides its document. */
export interface Assets {
  /** The folder in the URLs of the files. Its name is a hash of the contents, so the files can be cached for ever. */
  readonly folder: string;
  /** The files by path below that folder. */
  readonly files: ReadonlyMap<string, Asset>;
  /** Path of the page's first script. */
  readonly entry: string;
  /** Paths of all scripts. */
  readonly scripts: readonly string[];
  /** Paths of the scripts that are not loaded on demand. */
  readonly preloads: readonly string[];
  /** Script of the service worker, which expects a constant `shell` (src/web/service-worker.ts). */
  readonly worker: string;
}

/** A file in each content coding. */
interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The table of contents that the build writes (scripts/build/write-page.ts). */
interface Contents {
  readonly files: readonly string[];
  readonly entry: string;
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
}

/** Reads and compresses all files. */
export async function readAssets(): Promise<Assets> {
  const readBuildFile = (path: string) => readFile(packageFile(`dist/page/${path}`));
  const { files, ...lists }: Contents = JSON.parse(String(await readBuildFile('contents.json')));
  const contents = await Promise.all(files.map(async (path) => [path, await readBuildFile(path)] as const));
  const digest = createHash('sha256');
  for (const [path, content] of contents) digest.update(`${path}\0${content.length}\0`).update(content);
  const assets = contents.map(async ([path, content]) => [path, await pack(path, content)] as const);
  return {
    folder: `assets/${digest.digest('base64url').slice(0, 16)}`,
    files: new Map(await Promise.all(assets)),
    ...lists,
    worker: String(await readBuildFile('service-worker.js')),
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
