import { join } from 'node:path';
import type { Logger } from 'pino';
import { makeFolder, makeRootFolder, namesIn } from '../../files/folder.ts';
import { moveFolder } from '../../files/move-folder.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { sleep } from '../../waiting/sleep.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { inputsFolder } from '../stages/fetch-media.ts';
import { retainedFolder } from './retained-result.ts';

const SWEEP_INTERVAL_MS = 3_600_000;
/** Time for which a run waits for an earlier one to release the folder, if that run was lost only shortly before. */
const HANDOVER_MS = 10_000;
/** The folders of an earlier run that can be resumed. */
const resumableFolders = [inputsFolder, retainedFolder];

/** The work folders of a worker's runs, each named after its run. */
export interface WorkFolders {
  /**
   * Creates the folder of a run. Inputs and results that an earlier run of the job has left are moved into it; the rest
   * of that run's folder is deleted. Only regular files with one link are moved, because a child of the earlier run may
   * have put other things there.
   *
   * @throws An error of the file system; an abort error of the signal.
   */
  open(run: string, previousRun: string | undefined, signal: AbortSignal): Promise<string>;
  /** Removes the folder of a run that has ended. */
  remove(run: string): Promise<void>;
  /** Leaves the folder of a run to a run that may resume it. If there can be none, the folder is removed soon. */
  leave(run: string): void;
  /**
   * Makes room on a full disk: while no run has a folder, removes one left by an earlier run, those with a retained
   * result last. Returns whether one was removed.
   *
   * @throws An error of the file system.
   */
  makeRoom(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the folders of a worker. Those that no run can resume are removed now, every hour, and whenever a run leaves
 * its own.
 */
export async function openWorkFolders(
  path: string,
  worker: string,
  queue: Pick<Queue, 'resumableRuns'>,
  log: Logger,
): Promise<WorkFolders> {
  const directory = await makeRootFolder(path);
  /** The runs whose folder is in use, with promises that settle when they release it. */
  const foldersInUse = new Map<string, PromiseWithResolvers<void>>();
  /** Entries that could not be removed, so that each is logged once. */
  const stuck = new Set<string>();
  let sweeping = Promise.resolve();

  async function sweep(): Promise<void> {
    // The folders are listed first, so folders created during the query are not in the list.
    const names = await namesIn(directory);
    const resumable = await queue.resumableRuns(worker);
    for (const name of names) if (!resumable.has(name) && !foldersInUse.has(name)) await tryToRemove(name);
  }
  function queueSweep(): void {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      log.error({ err: error }, 'the folders of earlier runs could not be examined; that will be retried');
    });
  }
  /** Removes an entry. Returns whether it was removed, and logs why not: one entry must not block others. */
  async function tryToRemove(name: string): Promise<boolean> {
    try {
      await removeTree(join(directory, name));
      // A name that is not UTF-8 changes when it is read as text, so nothing was removed.
      if (!(await namesIn(directory)).includes(name)) return true;
      throw new Error('its name is not UTF-8');
    } catch (error) {
      if (!stuck.has(name))
        log.error(
          { err: error, name, folder: directory },
          'an entry of the work folder could not be removed; remove it by hand',
        );
      stuck.add(name);
      return false;
    }
  }
  /** Returns the folders left by earlier runs, in the order of removal: folders with a retained result last. */
  async function leftovers(): Promise<string[]> {
    const folders: { name: string; retains: boolean }[] = [];
    for (const name of await namesIn(directory)) {
      // A child may have replaced the folder with something else.
      const names = await namesIn(join(directory, name)).catch((): string[] => []);
      folders.push({ name, retains: names.includes(retainedFolder) });
    }
    return folders.sort((a, b) => Number(a.retains) - Number(b.retains)).map(({ name }) => name);
  }
  function releaseFolder(run: string): void {
    foldersInUse.get(run)?.resolve();
    foldersInUse.delete(run);
  }

  /** Moves the inputs and results of an earlier run; does nothing if they no longer exist. */
  async function takeOver(previousRun: string, folder: string, signal: AbortSignal): Promise<void> {
    const whenReleased = foldersInUse.get(previousRun)?.promise;
    if (whenReleased !== undefined) await Promise.race([whenReleased, sleep(HANDOVER_MS, signal, { ref: false })]);
    if (foldersInUse.has(previousRun)) return;
    for (const name of resumableFolders) {
      await moveFolder(join(directory, previousRun, name), join(folder, name));
    }
    await removeTree(join(directory, previousRun));
  }

  queueSweep();
  await sweeping;
  const timer = setInterval(queueSweep, SWEEP_INTERVAL_MS);
  return {
    async open(run, previousRun, signal) {
      foldersInUse.set(run, Promise.withResolvers());
      const folder = join(directory, run);
      await makeFolder(folder);
      if (previousRun !== undefined) await takeOver(previousRun, folder, signal);
      return folder;
    },
    async remove(run) {
      try {
        await removeTree(join(directory, run));
      } finally {
        releaseFolder(run);
      }
    },
    leave(run) {
      releaseFolder(run);
      queueSweep();
    },
    async makeRoom() {
      if (foldersInUse.size > 0) return false;
      for (const name of await leftovers()) if (await tryToRemove(name)) return true;
      return false;
    },
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
