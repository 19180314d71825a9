import { access, readFile } from 'node:fs/promises';
import { licenceText } from './licence-text.ts';
import { distributedPackages, type ThirdPartyPackage } from './third-party-packages.ts';

const RULE = '='.repeat(80);

/**
 * Returns all licences that must accompany an image as one text: Millrace's own, then the licence of each package that
 * is installed below `root` and comes with Millrace. Packages with the same text share one entry.
 *
 * @throws Error if a package that is not optional is not installed, or a package has no licence text.
 */
export async function gatherLicences(root: URL): Promise<string> {
  const holders = new Map<string, string[]>();
  for (const one of await distributedPackages(root)) {
    if (!(await isInstalled(root, one))) continue;
    const text = await licenceText(root, one);
    holders.set(text, [...(holders.get(text) ?? []), `${one.name} ${one.version} (${one.licence})`]);
  }
  const own = await readFile(new URL('LICENSE', root), 'utf8');
  const parts = [['Millrace', own.trim()] as const, ...[...holders].map(([text, names]) => [names.join('\n'), text])];
  return parts.map(([names, text]) => `${RULE}\n${names}\n${RULE}\n\n${text}\n`).join('\n');
}

async function isInstalled(root: URL, { name, folder, optional }: ThirdPartyPackage): Promise<boolean> {
  try {
    await access(new URL(`${folder}/package.json`, root));
    return true;
  } catch (error) {
    if (optional) return false;
    throw new Error(`${name} is not installed. Run "npm ci".`, { cause: error });
  }
}
