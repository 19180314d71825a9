import { fileURLToPath } from 'node:url';

/** Files that programs other than ours have made (`test/media/README.md` says whose they are). */
export const foundFiles: readonly string[] = ['nosleep.mp4', 'nosleep.webm', 'can-autoplay.mp4', 'node-wav.wav'];

/** Where one of them is. */
export function foundPath(name: string): string {
  return fileURLToPath(new URL(`../../../../../test/media/${name}`, import.meta.url));
}
