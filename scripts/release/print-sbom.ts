import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { distributedPackages } from '../licences/third-party-packages.ts';
import { completeSbom, type Sbom } from './complete-sbom.ts';

/**
 * Prints the software bill of materials of the service in CycloneDX: all packages whose code comes with it, on any
 * system, from the lock file. `node scripts/release/print-sbom.ts > millrace.cdx.json`
 */
const root = new URL('../../', import.meta.url);
const parameters = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const text = execFileSync('npm', parameters, {
  cwd: fileURLToPath(root),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const sbom = completeSbom(JSON.parse(text) as Sbom, await distributedPackages(root));
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
