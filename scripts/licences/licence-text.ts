import { readdir, readFile } from 'node:fs/promises';
import type { ThirdPartyPackage } from './third-party-packages.ts';

/** Files of a package that contain its licence, or notices that must accompany it. */
const licenceFiles = /^(?:un)?licen[cs]e|^(?:copying|copyright|notice)/i;

/** The section of a README that holds a whole licence, not just its name. */
const licenceSection = /^#+ *licen[cs]e\b[^\n]*\n(?=[\s\S]*Permission is hereby granted)[\s\S]*/im;

/** Texts for packages that contain none. */
const standardTexts: Readonly<Record<string, string>> = {
  MIT: 'MIT.txt',
  'Apache-2.0': 'Apache-2.0.txt',
  'GPL-3.0-or-later': 'GPL-3.0.txt',
};

/** The used part of a package's `package.json`. */
interface Description {
  readonly author?: string | { readonly name: string };
}

/**
 * Returns the licence of an installed package: its own files, otherwise a section of its README, otherwise the standard
 * text of its declared licence.
 *
 * @throws Error if none of these exists, or the package is not installed.
 */
export async function licenceText(root: URL, { name, licence, folder }: ThirdPartyPackage): Promise<string> {
  const place = new URL(`${folder}/`, root);
  const entries = await readdir(place, { withFileTypes: true });
  const readEntry = (file: string) => readFile(new URL(file, place), 'utf8');
  const own = entries.filter((entry) => entry.isFile() && licenceFiles.test(entry.name)).map((entry) => entry.name);
  if (own.length > 0) return (await Promise.all(own.toSorted().map(readEntry))).map((text) => text.trim()).join('\n\n');

  const readme = entries.find((entry) => /^readme(?:\.|$)/i.test(entry.name));
  const [section] = readme === undefined ? [] : (licenceSection.exec(await readEntry(readme.name)) ?? []);
  if (section !== undefined) return section.trim();

  const standard = standardTexts[licence];
  if (standard === undefined)
    throw new Error(`${name} contains no text of its licence, ${licence}, and there is no standard text for it.`);
  const { author } = JSON.parse(await readEntry('package.json')) as Description;
  const text = await readFile(new URL(`texts/${standard}`, import.meta.url), 'utf8');
  const by = typeof author === 'object' ? author.name : author;
  return [
    `The package contains no licence text. This is the standard text of ${licence}.`,
    by && `Author: ${by}`,
    text.trim(),
  ]
    .filter(Boolean)
    .join('\n\n');
}
