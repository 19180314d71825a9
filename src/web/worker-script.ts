import { createHash } from 'node:crypto';
import type { PageAssets } from './assets.ts';
import type { Shell } from './page/app/worker/shell.ts';
import type { PageDocument } from './page-document.ts';

/** The policy of the worker: it may only load the page's own files. */
export const workerPolicy = "default-src 'none'; connect-src 'self'";

/**
 * Writes the script of the page's service worker. It changes with the page's files, so that browsers update the worker.
 */
export function writeWorkerScript({ folder, scripts, worker }: PageAssets, { text, policy }: PageDocument): string {
  const shell: Shell = {
    version: createHash('sha256').update(text).update(policy('')).digest('base64url').slice(0, 16),
    folder,
    files: [...scripts, 'page.css', 'icon.svg'],
  };
  return `const shell = ${JSON.stringify(shell)};\n${worker}`;
}
