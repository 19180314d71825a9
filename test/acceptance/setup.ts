import type { TestProject } from 'vitest/node';
import { startLab, startService, temporaryFolder } from '../support/processes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The service under test. */
    serviceUrl: string;
    /** The lab's own address, for its control pages. */
    labUrl: string;
  }
}

/** Starts the offline world and one service for all acceptance tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lab = await startLab();
  const folder = await temporaryFolder();
  const service = await startService(lab.url, folder.path).catch(async (error: unknown) => {
    await lab.stop();
    throw error;
  });
  project.provide('serviceUrl', service.url);
  project.provide('labUrl', lab.url);
  return async () => {
    await service.stop();
    await lab.stop();
    await folder.delete();
  };
}
