import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseImageReference } from './image-reference.ts';
import { imagesIn, pinImages } from './pin-images.ts';
import { readDigest } from './read-digest.ts';

/**
 * Adds digests to the images in `deploy/`, so that a release always runs the images that it was tested with:
 *
 *     node scripts/release/pin-digests.ts --digest registry.example/millrace:0.2.0=sha256:…
 *
 * `--digest` states the digest of an image that was just pushed. `--registry host=origin` names a mirror. Files may
 * follow; without them, all files in `deploy/` with images are changed. Connects to the registries of the images.
 */
const { values, positionals } = parseArgs({
  options: { digest: { type: 'string', multiple: true }, registry: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const deploy = new URL('../../deploy/', import.meta.url);
const ownFiles = ['compose.yaml', 'Dockerfile', 'kubernetes/pod/kustomization.yaml'].map(
  (path) => new URL(path, deploy),
);
const files = positionals.length === 0 ? ownFiles : positionals;
/** The image that compose.yaml builds. It is in no registry. */
const isBuiltHere = (name: string) => /^millrace:/.test(name);

/** Reads `name=value` pairs. Names may contain colons, but no equals signs. */
function pairs(texts: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]));
}

const digests = new Map(pairs(values.digest));
const origins = pairs(values.registry);
const texts = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
for (const name of new Set([...texts.values()].flatMap(imagesIn))) {
  if (isBuiltHere(name)) continue;
  const digest = digests.get(name) ?? (await readDigest(parseImageReference(name), origins));
  digests.set(name, digest);
  process.stdout.write(`${name}@${digest}\n`);
}
for (const [file, text] of texts) await writeFile(file, pinImages(text, digests));
