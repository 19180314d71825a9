/**
 * References to images with a tag: in compose files and manifests (`image: …`), in Dockerfiles (`FROM …`), and in
 * kustomizations (`newName: …, newTag: …`). A digest that follows is part of the match, and is replaced.
 */
const references: readonly RegExp[] = [
  /(?<before>^\s*image: )(?<name>[^\s@]+:[^\s:@]+)(?:@sha256:[0-9a-f]{64})?$/gm,
  /(?<before>^FROM (?:--platform=\S+ )?)(?<name>[^\s@]+:[^\s:@]+)(?:@sha256:[0-9a-f]{64})?/gm,
];
const kustomized = /newName: (?<name>[^\s,]+), newTag: (?<tag>[^\s,]+)(?:, digest: sha256:[0-9a-f]{64})?/g;

/** Returns the names of all images in a file, with tag and without digest. */
export function imagesIn(text: string): readonly string[] {
  const plain = references.flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups }) => groups?.name ?? ''));
  return [...plain, ...[...text.matchAll(kustomized)].map(({ groups }) => `${groups?.name}:${groups?.tag}`)];
}

/**
 * Returns the text of a file with digests after the tags of images. Everything else, including comments, is unchanged.
 *
 * @param digests By name with tag. Images without an entry keep what they have.
 */
export function pinImages(text: string, digests: ReadonlyMap<string, string>): string {
  let pinned = text;
  for (const pattern of references) {
    pinned = pinned.replaceAll(pattern, (match, before: string, name: string) => {
      const digest = digests.get(name);
      return digest === undefined ? match : `${before}${name}@${digest}`;
    });
  }
  return pinned.replaceAll(kustomized, (match, name: string, tag: string) => {
    const digest = digests.get(`${name}:${tag}`);
    return digest === undefined ? match : `newName: ${name}, newTag: ${tag}, digest: ${digest}`;
  });
}
