import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { MakeTask } from './make/task.ts';
import { make as makeInProcess } from './maker.ts';
import { type Recipe, recipeVersion } from './recipes.ts';
import { createSizeLimit } from './size-limit.ts';

/** Generated media on disk. Concurrent requests generate a file only once, and a killed lab leaves no partial file. */
export interface MediaCache {
  /**
   * Returns the path of a recipe's file (or folder), generating it if necessary.
   *
   * @throws Error when the file cannot be generated.
   */
  path(recipe: Recipe): Promise<string>;
  /** Kills the makers and waits for them. */
  close(): Promise<void>;
}

/** Runs a task in a folder; {@link makeInProcess} outside tests. */
export type Maker = (task: MakeTask, directory: string, signal: AbortSignal) => Promise<void>;

const makersAtOnce = 2;
/** Scratch folders older than this belong to a lab that was killed. */
const scratchLifetime = 3_600_000;

/**
 * Opens the cache in a folder, which several labs may share. If it has a limit in bytes, the least recently used files
 * are deleted, and files that would take more than half of it are not made.
 */
export async function openMediaCache(
  directory: string,
  limit = Number.POSITIVE_INFINITY,
  make: Maker = makeInProcess,
): Promise<MediaCache> {
  const home = path.resolve(directory, `v${recipeVersion}`);
  const scratch = path.resolve(directory, 'scratch');
  await mkdir(home, { recursive: true });
  await mkdir(scratch, { recursive: true });
  await sweep(scratch);
  const sizeLimit = createSizeLimit(directory, limit);
  await sizeLimit.enforce();

  const closing = new AbortController();
  const slots = createSlots(makersAtOnce);
  const running = new Map<string, Promise<string>>();

  const share = (recipe: Recipe): Promise<string> => {
    const pending = running.get(recipe.name);
    if (pending !== undefined) return pending;
    const making = produce(recipe).finally(() => running.delete(recipe.name));
    running.set(recipe.name, making);
    return making;
  };

  const produce = async (recipe: Recipe): Promise<string> => {
    const target = path.join(home, recipe.name);
    if (await exists(target)) {
      await sizeLimit.used(target);
      return target;
    }
    if ((recipe.bytes ?? 0) > limit / 2) throw new Error(`${recipe.name} is too large for this lab.`);
    const needs = await Promise.all(recipe.needs.map(share));
    const workshop = path.join(scratch, randomUUID());
    await slots.enter();
    try {
      closing.signal.throwIfAborted();
      await mkdir(workshop);
      await make(recipe.task(needs, recipe.entry ?? recipe.name), workshop, closing.signal);
      await settle(recipe.entry === undefined ? path.join(workshop, recipe.name) : workshop, target);
    } finally {
      slots.leave();
      await rm(workshop, { recursive: true, force: true });
    }
    await sizeLimit.added(target);
    return target;
  };

  return {
    path: share,
    async close() {
      closing.abort(new Error('The lab is closing.'));
      await Promise.allSettled(running.values());
    },
  };
}

/** Moves a finished file into place. Another lab with the same cache may have been faster; its bytes are identical. */
async function settle(scratchFile: string, target: string): Promise<void> {
  try {
    await rename(scratchFile, target);
  } catch (error) {
    if (!(await exists(target))) throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function sweep(scratch: string): Promise<void> {
  for (const name of await readdir(scratch)) {
    const folder = path.join(scratch, name);
    // Another lab may delete the same folder at the same time; a missing folder needs no deletion.
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > scratchLifetime) await rm(folder, { recursive: true, force: true });
  }
}

/** Limits the number of concurrent holders to `count`; the others wait in line. */
function createSlots(count: number): { enter(): Promise<void>; leave(): void } {
  const line: (() => void)[] = [];
  let free = count;
  return {
    async enter() {
      if (free > 0) {
        free--;
        return;
      }
      await new Promise<void>((resolve) => line.push(resolve));
    },
    leave() {
      const next = line.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
