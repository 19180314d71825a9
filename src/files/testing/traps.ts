import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECRET = 'the secret of another job';

/** What an attacker can put where the service expects its own file. */
export const traps = ['symbolic link', 'hard link', 'FIFO', 'socket', 'folder'] as const;

/** A kind of {@link traps}. */
export type Trap = (typeof traps)[number];

/** A folder, and a file next to it that must not be reachable through the folder. */
export interface Ground {
  readonly folder: string;
  /** The file outside the folder. */
  readonly victim: string;
  /** Puts a trap at a path and replaces what was there. */
  set(trap: Trap, path: string): Promise<void>;
  /** The victim's content; {@link untouched} if nothing has changed it. */
  victimNow(): Promise<string>;
  delete(): Promise<void>;
}

/** The content of an unchanged victim. */
export const untouched = SECRET;

/** Creates a folder for traps. */
export async function trapGround(): Promise<Ground> {
  const root = await mkdtemp(join(tmpdir(), 'millrace-traps-'));
  const folder = join(root, 'folder');
  const victim = join(root, 'victim');
  const servers: Server[] = [];
  await mkdir(folder);
  await writeFile(victim, SECRET);
  await chmod(victim, 0o644);
  return {
    folder,
    victim,
    async set(trap, path) {
      await rm(path, { recursive: true, force: true });
      switch (trap) {
        case 'symbolic link':
          return symlink(victim, path);
        case 'hard link':
          return link(victim, path);
        case 'FIFO':
          execFileSync('mkfifo', [path]);
          return;
        case 'socket':
          // A socket address has at most 107 bytes.
          await listen(servers, join(root, 'socket'));
          return rename(join(root, 'socket'), path);
        case 'folder':
          await mkdir(path);
      }
    },
    victimNow: () => readFile(victim, 'utf8'),
    async delete() {
      for (const server of servers) server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function listen(servers: Server[], path: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));
}
