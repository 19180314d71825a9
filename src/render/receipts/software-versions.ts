import type { ReceiptStatement } from '../../contract/receipt.ts';
import { readPackageManifest } from '../../files/package-manifest.ts';
import { ffmpegVersion } from '../engine/ffmpeg-version.ts';

/** Returns the versions of the programs that make results. The version of node-av is pinned in the package. */
export async function readSoftwareVersions(): Promise<ReceiptStatement['software']> {
  const { version, dependencies } = await readPackageManifest();
  return { millrace: version, nodeAv: dependencies['node-av'] ?? 'unknown', ffmpeg: ffmpegVersion };
}
