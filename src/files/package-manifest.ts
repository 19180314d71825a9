import { fileURLToPath } from 'node:url';
import { packageFile } from './package-files.ts';
import { readTextFile } from './small-file.ts';

const MAX_BYTES = 256 * 1024;

/** The used members of this package's `package.json`. */
interface PackageManifest {
  /** Version of the software, such as `0.2.0`. */
  readonly version: string;
  /** Versions of the packages that it depends on, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Reads the `package.json` of this package, the only place in the code that has the software's version. */
export async function readPackageManifest(): Promise<PackageManifest> {
  return JSON.parse(await readTextFile(fileURLToPath(packageFile('package.json')), MAX_BYTES));
}
