import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { packageFile } from '../files/package-files.ts';
import { encode } from '../http/content-coding.ts';

/** Files of the service for browsers. */
export interface Assets {
  /** The folder in the URLs of the files. Its name is a hash of the contents, so the files can be cached for ever. */
  readonly folder: string;
  /** The files by path below that folder. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** The files of the page besides its document. */
export interface PageAssets extends Assets, Scripts {
  /** Script of the service worker, which expects a constant `shell` (src/web/page/app/worker/shell.ts). */
  readonly worker: string;
}

/** Paths of the page's scripts. */
interface Scripts {
  /** Path of the page's first script. */
  readonly entry: string;
  /** Paths of all scripts. */
  readonly scripts: readonly string[];
  /** Paths of the scripts that are not loaded on demand. */
  readonly preloads: readonly string[];
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
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Size above which a file is compressed with less effort: seconds of computation would save a tenth. */
const LARGE_BYTES = 1_000_000;
const LARGE_QUALITY = 9;
const MAX_QUALITY = 11;

/** Reads and compresses the files of the page. */
export async function readPageAssets(): Promise<PageAssets> {
  const { files, ...scripts } = await readContents<Scripts>('page');
  return {
    ...(await readFiles('page', files)),
    ...scripts,
    worker: String(await readBuildFile('page', 'service-worker.js')),
  };
}

/** Reads and compresses the files of the API reference. */
export async function readReferenceAssets(): Promise<Assets> {
  return await readFiles('reference', (await readContents('reference')).files);
}

/** Reads the table of contents of a part, which the build writes (scripts/build/). */
async function readContents<More = unknown>(part: string): Promise<More & { readonly files: readonly string[] }> {
  return JSON.parse(String(await readBuildFile(part, 'contents.json')));
}

function readBuildFile(part: string, path: string): Promise<Buffer> {
  return readFile(packageFile(`dist/${part}/${path}`));
}

async function readFiles(part: string, paths: readonly string[]): Promise<Assets> {
  const contents = await Promise.all(paths.map(async (path) => [path, await readBuildFile(part, path)] as const));
  const digest = createHash('sha256');
  for (const [path, content] of contents) digest.update(`${path}\0${content.length}\0`).update(content);
  const assets = contents.map(async ([path, content]) => [path, await pack(path, content)] as const);
  return {
    folder: `assets/${digest.digest('base64url').slice(0, 16)}`,
    files: new Map(await Promise.all(assets)),
  };
}

async function pack(path: string, plain: Buffer): Promise<Asset> {
  const quality = plain.length > LARGE_BYTES ? LARGE_QUALITY : MAX_QUALITY;
  return {
    type: types[extname(path)] ?? 'text/javascript; charset=utf-8',
    plain,
    br: await encode(plain, 'br', quality),
    gzip: await encode(plain, 'gzip', quality),
  };
}
