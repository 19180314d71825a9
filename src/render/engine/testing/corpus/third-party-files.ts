import { fileURLToPath } from 'node:url';

/** Third-party files (`test/media/README.md`). */
export const thirdPartyFiles: readonly string[] = ['nosleep.mp4', 'nosleep.webm', 'can-autoplay.mp4', 'node-wav.wav'];

/** Returns the path of a third-party file. */
export function thirdPartyPath(name: string): string {
  return fileURLToPath(new URL(`../../../../../test/media/${name}`, import.meta.url));
}
