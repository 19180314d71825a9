import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/** Tests start the programs that users start: what is built is brought up to date before the first test, and each rerun. */
export default async function setup(project: TestProject): Promise<void> {
  await build();
  project.onTestsRerun(build);
}

/** In a process of its own: Vitest gives modules no `import.meta.resolve`. */
async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build/main.ts']);
}
