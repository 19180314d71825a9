import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStage, layersOf } from './build-stage.ts';
import { sizeOf } from './size-of.ts';

// Computes the unpacked size of the image where no image can be built. Runs the build stage of deploy/Dockerfile in a
// folder of /tmp, measures the layers that the final stage copies from it, and adds the known sizes of the others.
const root = new URL('../../', import.meta.url);

/** The most that an image may have, in MB. */
const BUDGET = 460;

/**
 * Sizes of the layers that come from Debian, in bytes, measured on 2026-11-26. The base is a system that debootstrap
 * makes (Debian 12, variant minbase), without the files that Debian's slim image leaves out. The packages are what the
 * Dockerfile's first RUN step added to it.
 */
const debian = { base: 74_800_000, packages: 9_800_000 };

const dockerfile = await readFile(new URL('deploy/Dockerfile', root), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'millrace-image-'));
try {
  await buildStage(dockerfile, root, folder);
  const rows: [name: string, bytes: number][] = [
    ['Debian 12, slim', debian.base],
    ['Debian packages and the user', debian.packages],
  ];
  for (const path of layersOf(dockerfile)) {
    // The package of Node contains the same program as the base image of the same version.
    const bytes = path.startsWith('/app/')
      ? await sizeOf(folder + path.slice('/app'.length))
      : (await stat(process.execPath)).size;
    rows.push([path, bytes]);
  }
  rows.push(['total', rows.reduce((sum, [, bytes]) => sum + bytes, 0)]);
  for (const [name, bytes] of rows) process.stdout.write(`${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${name}\n`);
  const [, total = 0] = rows.at(-1) ?? [];
  if (total > BUDGET * 1e6) throw new Error(`The image has more than ${BUDGET} MB. Find what makes it larger.`);
} finally {
  await rm(folder, { recursive: true });
}
