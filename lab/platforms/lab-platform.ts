import { readdir } from 'node:fs/promises';
import type { CdnTools } from '../cdn/tools.ts';
import type { Host } from '../http/hosts.ts';

/** A simulated platform: what the `index.ts` of its folder exports as `platform`. */
export interface LabPlatform {
  /** The neutral id, such as `p1`. */
  readonly id: string;
  /** Makes every host of the platform. */
  hosts(tools: CdnTools): readonly Host[];
  /** What it documents, such as ids, and what each one shows: one table, or several by name. */
  catalogue(): Readonly<Record<string, unknown>>;
}

/** Loads the platforms of all folders beside this file, in the order of their ids. */
export async function loadPlatforms(): Promise<readonly LabPlatform[]> {
  const entries = await readdir(new URL('.', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const platforms = await Promise.all(
    folders.map(async (name) => {
      const { platform }: { readonly platform: LabPlatform } = await import(`./${name}/index.ts`);
      return platform;
    }),
  );
  return platforms.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}
