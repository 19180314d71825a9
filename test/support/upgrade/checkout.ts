import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const MOST_BYTES = 200_000_000;

/** Returns why a commit cannot be run here; undefined if it can. */
export async function whyNotRunnable(commit: string): Promise<string | undefined> {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{tree}`], { stdio: 'ignore' });
  if (status !== 0) return `the history of this checkout does not have ${commit}`;
  const manifest = execFileSync('git', ['show', `${commit}:package.json`], { encoding: 'utf8' });
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) {
    const installed = await readFile(join('node_modules', name, 'package.json'), 'utf8').catch(() => '{}');
    if (JSON.parse(installed).version !== version) return `${commit} needs ${name} ${version}`;
  }
  return undefined;
}

/** Writes the files of a commit to a folder, to be run with the packages that are installed here. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = execFileSync('git', ['archive', commit], { maxBuffer: MOST_BYTES });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
}
