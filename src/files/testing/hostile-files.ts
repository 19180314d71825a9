import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECRET = 'the secret of another job';

/** What an attacker can put in place of the service's own file. */
export const hostileKinds = ['symbolic link', 'hard link', 'FIFO', 'socket', 'folder'] as const;

/** A kind of {@link hostileKinds}. */
type HostileKind = (typeof hostileKinds)[number];

/** A folder, and a file next to it that must not be reachable through the folder. */
export interface HostileFolder {
  readonly folder: string;
  /** The file outside the folder. */
  readonly victim: string;
  /** Creates a hostile file at a path and replaces an existing one. */
  place(kind: HostileKind, path: string): Promise<void>;
  /** Returns the victim's content; {@link untouchedContent} if it is unchanged. */
  readVictim(): Promise<string>;
  delete(): Promise<void>;
}

/** The content of an unchanged victim. */
export const untouchedContent = SECRET;

/** Creates a folder for hostile files. */
export async function makeHostileFolder(): Promise<HostileFolder> {
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
    async place(kind, path) {
      await rm(path, { recursive: true, force: true });
      switch (kind) {
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
    readVictim: () => readFile(victim, 'utf8'),
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
