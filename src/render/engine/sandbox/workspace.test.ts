import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MediaDirectory, makeTestDirectory } from '../testing/test-media.ts';
import { childGroup, childUser } from './child-users.ts';
import { Workspace } from './workspace.ts';

const isRoot = process.getuid?.() === 0;

function make(user?: number): { directory: MediaDirectory; workspace: Workspace } {
  const directory = makeTestDirectory();
  onTestFinished(directory.remove);
  mkdirSync(directory.file('workspaces'));
  return { directory, workspace: new Workspace(directory.file('workspaces'), user) };
}

const unprovenError = expect.objectContaining({ code: 'result_unproven' });

describe('an input', () => {
  it('is linked, not copied, and survives the removal of the workspace', async () => {
    const { directory, workspace } = make();
    writeFileSync(directory.file('film.mp4'), 'media');
    await workspace.linkInput(0, directory.file('film.mp4'));
    const path = workspace.inputPath(0, directory.file('film.mp4'));
    expect(statSync(path).ino).toBe(statSync(directory.file('film.mp4')).ino);
    await workspace.remove();
    expect(readdirSync(directory.file('workspaces'))).toEqual([]);
    expect(readFileSync(directory.file('film.mp4'), 'utf8')).toBe('media');
  });

  it('is not followed if it is a symbolic link', async () => {
    const { directory, workspace } = make();
    symlinkSync('/etc/passwd', directory.file('film.mp4'));
    await expect(workspace.linkInput(0, directory.file('film.mp4'))).rejects.toThrow();
  });

  it.runIf(isRoot)('is readable by the child’s user and writable only by the service', async () => {
    const { directory, workspace } = make(childUser(0));
    writeFileSync(directory.file('film.mp4'), 'media', { mode: 0o600 });
    await workspace.linkInput(0, directory.file('film.mp4'));
    const { uid, gid, mode } = statSync(workspace.inputPath(0, directory.file('film.mp4')));
    expect([uid, gid, mode & 0o777]).toEqual([0, childGroup, 0o640]);
  });
});

describe('a result', () => {
  it('is moved to its destination', async () => {
    const { directory, workspace } = make();
    const place = directory.file('result.mp4');
    writeFileSync(workspace.resultPath(place), 'media');
    chmodSync(workspace.resultPath(place), 0o666);
    await workspace.takeResult(place, 5);
    expect(readFileSync(place, 'utf8')).toBe('media');
    expect(statSync(place).mode & 0o777).toBe(0o600);
  });

  it('stays at its destination under one name if it was completed in place', async () => {
    const { directory, workspace } = make();
    const place = directory.file('placed.mp4');
    writeFileSync(place, 'fragments');
    await workspace.linkResult(place);
    writeFileSync(workspace.resultPath(place), 'completed');
    await workspace.takeResult(place, 9);
    expect([readFileSync(place, 'utf8'), statSync(place).nlink]).toEqual(['completed', 1]);
  });

  it.each<[string, (path: string, directory: MediaDirectory) => void]>([
    ['a symbolic link', (path) => symlinkSync('/etc/hostname', path)],
    ['a symbolic link to another job’s file', (path, { file }) => symlinkSync(file('secret'), path)],
    ['a hard link', (path, { file }) => linkSync(file('secret'), path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a file of another size', (path) => writeFileSync(path, 'secrets')],
  ])('is refused if it is %s, and does not reach its destination', async (_what, plant) => {
    const { directory, workspace } = make();
    const place = directory.file('result.mp4');
    writeFileSync(directory.file('secret'), 'secret');
    plant(workspace.resultPath(place), directory);
    await expect(workspace.takeResult(place, 6)).rejects.toEqual(unprovenError);
    expect(existsSync(place)).toBe(false);
    await workspace.remove();
    expect(readFileSync(directory.file('secret'), 'utf8')).toBe('secret');
  });

  it('fails with a cause if it does not exist', async () => {
    const { directory, workspace } = make();
    await expect(workspace.takeResult(directory.file('result.mp4'), 6)).rejects.toMatchObject({
      code: 'processing_failed',
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
  });
});
