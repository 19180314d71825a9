import { fileURLToPath } from 'node:url';
import type { ReceiptStatement } from '../../contract/receipt.ts';
import { packageFile } from '../../files/package-files.ts';
import { readTextFile } from '../../files/small-file.ts';
import { ffmpegVersion } from '../engine/ffmpeg-version.ts';

const MAX_BYTES = 256 * 1024;

/** Returns the versions of the programs that make results. The version of node-av is pinned in the package. */
export async function readSoftwareVersions(): Promise<ReceiptStatement['software']> {
  const text = await readTextFile(fileURLToPath(packageFile('package.json')), MAX_BYTES);
  const { version, dependencies }: PackageFile = JSON.parse(text);
  return { millrace: version, nodeAv: dependencies['node-av'] ?? 'unknown', ffmpeg: ffmpegVersion };
}

/** The package file of this version, which the package itself contains. */
interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}
