import { readFile } from 'node:fs/promises';

/** A package that is installed with Millrace. */
export interface ThirdPartyPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Whether npm may skip it, for example on another system. */
  readonly optional: boolean;
  /** Where npm installs it, below the root of the project. */
  readonly folder: string;
}

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Licences that packages do not declare correctly, as found in their files on 2026-11-21. The binaries of node-av
 * contain FFmpeg, built with `--enable-gpl --enable-version3`. jspack contains a licence text but does not name the
 * licence.
 */
const licenceOverrides: readonly (readonly [names: RegExp, licence: string])[] = [
  [/^@seydx\/node-av-/, 'GPL-3.0-or-later'],
  [/^@shinyoshiaki\/jspack$/, 'BSD-3-Clause'],
];

const PREFIX = 'node_modules/';

/**
 * Returns the packages that `npm ci --omit=dev` installs, on any system, sorted by name.
 *
 * @throws Error if a package declares no licence.
 */
export async function thirdPartyPackages(root: URL): Promise<readonly ThirdPartyPackage[]> {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return (
    Object.entries(lock.packages)
      // The other entries are this project itself: its root, its workspaces and the links to them.
      .filter(([folder, { dev, link }]) => folder.startsWith(PREFIX) && link !== true && dev !== true)
      .map(([folder, { version, license, optional, devOptional }]) => {
        const name = folder.slice(folder.lastIndexOf(PREFIX) + PREFIX.length);
        const licence = licenceOverrides.find(([names]) => names.test(name))?.[1] ?? license;
        if (licence === undefined) throw new Error(`${name} ${version} declares no licence. Check its files.`);
        return { name, version, licence, optional: optional === true || devOptional === true, folder };
      })
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  );
}
