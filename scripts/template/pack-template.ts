import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { packTar, type TarSource } from 'modern-tar/fs';
import { FOLDER_MODE } from '../../src/files/folder.ts';
import { FILE_MODE } from '../../src/files/open-file.ts';

/** Files that the engine leaves when it is closed, and creates again by itself. */
const unneededFiles = /^postmaster\.(?:pid|opts)$/;

/**
 * Decompression needs as much memory as the window, 2 MB. A larger window saves 3 %. Brotli saves 8 %, but takes twice
 * as long to decompress with this window (measured 2026-11-23 on 41 MB that become 0.74 MB).
 */
const compression = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 21 };

/** Packs and compresses a closed database. Leaves out owners and times, which identify the machine. */
export async function packTemplate(folder: string, target: URL): Promise<void> {
  const everything = await readdir(folder, { recursive: true, withFileTypes: true });
  const parents = new Set(everything.map(({ parentPath }) => parentPath));
  const sources = everything
    .filter((entry) => !unneededFiles.test(entry.name))
    // The archive contains three nearly identical databases. If their equal files are next to each other, three of them
    // take as much space as one.
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.parentPath, b.parentPath))
    .map((entry): TarSource | undefined => {
      const source = join(entry.parentPath, entry.name);
      const target = relative(folder, source).replaceAll(sep, '/');
      const anonymous = { source, target, mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };
      if (!entry.isDirectory()) return { ...anonymous, type: 'file', mode: FILE_MODE };
      // Folders that are not empty are created with their files.
      return parents.has(source) ? undefined : { ...anonymous, type: 'directory', mode: FOLDER_MODE };
    })
    .filter((source) => source !== undefined);
  await pipeline(packTar(sources), createZstdCompress({ params: compression }), createWriteStream(target));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
