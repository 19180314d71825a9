import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/** Updates the build before the first test and before each rerun, because tests start the same programs as users. */
export default async function setup(project: TestProject): Promise<void> {
  await build();
  project.onTestsRerun(build);
}

/** Runs in a separate process, because Vitest gives modules no `import.meta.resolve`. */
async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build/main.ts']);
}
