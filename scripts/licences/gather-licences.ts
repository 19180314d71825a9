import { access, readFile } from 'node:fs/promises';
import { licenceText } from './licence-text.ts';
import { type ThirdPartyPackage, thirdPartyPackages } from './third-party-packages.ts';

const RULE = '='.repeat(80);

/**
 * All licences that must go along with an image, in one text: Millrace's own, then each of the packages that are
 * installed below `root`. Packages with one and the same text stand above it together.
 *
 * @throws Error when a package that is not optional is not installed, or one has no text.
 */
export async function gatherLicences(root: URL): Promise<string> {
  const holders = new Map<string, string[]>();
  for (const one of await thirdPartyPackages(root)) {
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
    throw new Error(`${name} is not installed; run "npm ci --omit=dev".`, { cause: error });
  }
}
