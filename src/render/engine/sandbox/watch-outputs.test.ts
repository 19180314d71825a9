import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type MediaDirectory, makeTestDirectory } from '../testing/test-media.ts';
import { watchOutputs } from './watch-outputs.ts';

const files = (count: number) => (directory: MediaDirectory) => {
  for (let number = 1; number <= count; number += 1) writeFileSync(directory.file(`${number}`), 'x');
};

/** Returns the message about what `write` leaves in the folder, or undefined if no message comes in time. */
async function watchOnce(write: (directory: MediaDirectory) => void, timeout = 20_000): Promise<string | undefined> {
  const directory = makeTestDirectory();
  onTestFinished(directory.remove);
  write(directory);
  const onExceeded = vi.fn();
  const looks = vi.spyOn(globalThis, 'setInterval');
  const stop = watchOutputs(directory.path, 1_000_000, onExceeded, 5);
  const [look] = looks.mock.lastCall ?? [];
  looks.mockRestore();
  look?.();
  await vi.waitFor(() => expect(onExceeded).toHaveBeenCalled(), { timeout }).catch(() => undefined);
  stop();
  return onExceeded.mock.lastCall?.[0].message;
}

it.each<[string, (directory: MediaDirectory) => void, RegExp]>([
  ['too many files', files(65), /more than 64 files/],
  [
    'too many bytes',
    ({ file }) => writeFileSync(file('large'), Buffer.alloc(2_000_000, 1)),
    /more than its limit of 1000000 bytes/,
  ],
  ['a folder', ({ file }) => mkdirSync(file('folder')), /something other than plain files/],
  ['a link', ({ file }) => symlinkSync('/etc/passwd', file('link')), /something other than plain files/],
])('a child that writes %s is stopped', async (_what, write, message) => {
  expect(await watchOnce(write)).toMatch(message);
});

it.runIf(process.getuid?.() !== 0)('a child that locks its folder is stopped', async () => {
  expect(await watchOnce(({ path }) => chmodSync(path, 0))).toMatch(/locked its output folder/);
});

it('a child that stays within its limits is not stopped', async () => {
  expect(await watchOnce(files(64), 500)).toBeUndefined();
});
