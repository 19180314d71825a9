import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ground, trapGround, traps, untouched } from '../../files/testing/traps.ts';
import type { Engine } from '../engine/engine.ts';
import { assembleInputs } from './assemble.ts';
import { engineOfTest } from './testing/engine.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await trapGround();
});
afterEach(() => ground.delete());

/** Puts a playlist of two parts together, with an engine that makes something of each of them. */
async function assemble(make: (path: string, order: number) => Promise<number>) {
  let order = 0;
  const engine: Engine = {
    ...engineOfTest().engine,
    async process({ output }) {
      order += 1;
      return { streams: [], duration: 1, bytes: await make(output.path, order), chapters: 0, notes: [] };
    },
  };
  const parts = ['input-1.ts', 'input-1-2.ts'].map((name) => join(ground.folder, name));
  for (const part of parts) await writeFile(part, 'part');
  const inputs = [{ files: [{ parts, bytes: 8 }] }];
  const { signal } = new AbortController();
  return assembleInputs('convert_format', inputs, { directory: ground.folder, engine, signal });
}

async function makeFile(path: string, order: number): Promise<number> {
  await writeFile(path, `made ${order};`);
  return 7;
}

test('parts are put one behind the other', async () => {
  const [input] = await assemble(makeFile);
  expect(await readFile(input?.path ?? '', 'utf8')).toBe('made 1;made 2;');
});

describe.each(traps)('a %s', (trap) => {
  test('that the engine made is not read', { timeout: 5_000 }, async () => {
    const assembled = assemble(async (path) => {
      await ground.set(trap, path);
      return untouched.length;
    });
    await expect(assembled).rejects.toThrow();
  });

  test('where the parts go is not written to', { timeout: 5_000 }, async () => {
    const assembled = assemble(async (path, order) => {
      if (order === 1) await ground.set(trap, join(ground.folder, 'parts-1-1.ts'));
      return makeFile(path, order);
    });
    await assembled.catch(() => undefined);
    expect(await ground.victimNow()).toBe(untouched);
  });
});

test('a part of another size than the engine reported is not taken', async () => {
  const assembled = assemble(async (path, order) => (await makeFile(path, order)) + 1);
  await expect(assembled).rejects.toThrow(/7 bytes instead of 8/);
});
