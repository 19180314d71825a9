import { open } from 'node:fs/promises';

/** Returns the bytes of an MP4 file before its media: everything up to its first `moof` or `mdat`. */
export async function indexSize(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(8);
    let at = 0;
    while ((await file.read(header, 0, 8, at)).bytesRead === 8) {
      if (['moof', 'mdat'].includes(header.toString('latin1', 4))) return at;
      at += Math.max(8, header.readUInt32BE(0));
    }
    throw new Error(`${path} has no media`);
  } finally {
    await file.close();
  }
}
