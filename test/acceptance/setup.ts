import type { TestProject } from 'vitest/node';
import { startCluster } from '../support/cluster.ts';
import { sendFirstRequests } from '../support/first-requests.ts';
import { type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';
import { stack, startStack } from '../support/storage-stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the service under test. */
    serviceUrl: string;
    /** The lab's own address, for its control pages. */
    labUrl: string;
  }
}

/** Stops a program. If it has already ended, throws an error with its output: tests would otherwise fail elsewhere. */
async function stopRunning(program: RunningProcess): Promise<void> {
  const { exitCode, signalCode } = program.process;
  if (exitCode === null && signalCode === null) return program.stop();
  throw new Error(`a shared test program ended unexpectedly with ${exitCode ?? signalCode}:\n${program.output()}`);
}

/** Starts the lab and one service for all acceptance tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
  };
  try {
    const folder = await temporaryFolder();
    closers.push(folder.delete);
    closers.push(await startStack(folder.path));
    const lab = await startLab();
    closers.push(() => stopRunning(lab));
    // With storage that several processes can share, the service is several processes.
    const start = stack === 'embedded' ? startService : startCluster;
    // What one file requests must not change the responses to another one.
    const independent = { USE_HEALTH: 'off', ANSWER_CACHE: '0' };
    const service = await start(lab.url, folder.path, { ...independent, WORKER_CONCURRENCY: '8' });
    closers.push(service.stop);
    await sendFirstRequests(lab.url, service.url);
    project.provide('serviceUrl', service.url);
    project.provide('labUrl', lab.url);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
