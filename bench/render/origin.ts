import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freePort } from '../../test/support/free-port.ts';
import { startLab } from '../../test/support/processes.ts';

/** The files that the benchmarks download, as paths of the lab. */
export const media = {
  video: '/media/giant-2100/video-1080.mp4',
  audio: '/media/giant-2100/audio.mp4',
  longVideo: '/media/giant-9600/video-1080.mp4',
  longAudio: '/media/giant-9600/audio.mp4',
  small: '/media/giant-180/movie-1080.mp4',
  movie: '/media/giant-2100/movie-1080.mp4',
  short: '/media/giant-30/movie-1080.mp4',
  talk: '/media/amber-300/movie-360.mp4',
  music: '/media/birch-300/audio.mp4',
  playlist: '/hls/giant-700/1080/index.m3u8',
  tiny: '/media/amber-2/movie-144.mp4',
} as const;

/** A running nginx that serves the benchmark's media: throttled below `/slow`, with counted bytes below `/counted`. */
export interface Origin {
  readonly url: string;
  /** The folder that it serves. */
  readonly root: string;
  /** Its process ID. */
  readonly pid: number;
  /** Returns the body bytes of all finished requests below `/counted`. */
  countedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** Generates the given media once, in `data/bench`, and serves them from a separate process. */
export async function startOrigin(names: readonly (keyof typeof media)[]): Promise<Origin> {
  const root = resolve('data', 'bench', 'media');
  await makeMedia(
    root,
    names.map((name) => media[name]),
  );
  const port = await freePort();
  const folder = resolve('data', 'bench', 'nginx');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'counted.log'), '');
  await writeFile(join(folder, 'nginx.conf'), configuration(port, root, folder));
  const nginx = spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  if (nginx.pid === undefined) throw new Error('nginx could not be started');
  return {
    pid: nginx.pid,
    url: `http://127.0.0.1:${port}`,
    root,
    async countedBytes() {
      const lines = (await readFile(join(folder, 'counted.log'), 'utf8')).split('\n');
      return lines.reduce((sum, line) => sum + Number(line), 0);
    },
    async close() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
    },
  };
}

/**
 * Returns the configuration of nginx, which throttles each connection below /slow to 2 MB/s, counted from the first
 * byte, and logs the size of each response below /counted.
 */
function configuration(port: number, root: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${folder}/pid;
events { worker_connections 512; }
http {
  access_log off;
  log_format bytes '$body_bytes_sent';
  sendfile on;
  tcp_nopush on;
  types { video/mp4 mp4 m4a; application/vnd.apple.mpegurl m3u8; video/mp2t ts; }
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    location /slow/ { alias ${root}/; limit_rate 2000000; }
    location /counted/ { alias ${root}/; access_log ${folder}/counted.log bytes; }
  }
}
`;
}

async function makeMedia(root: string, paths: readonly string[]): Promise<void> {
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  if (missing.length === 0) return;
  const lab = await startLab();
  try {
    for (const path of missing) {
      await copy(`${lab.url}${path}`, join(root, path));
      if (path.endsWith('.m3u8')) await copySegments(lab.url, path, root);
    }
  } finally {
    await lab.stop();
  }
}

async function copySegments(labUrl: string, playlist: string, root: string): Promise<void> {
  const text = await (await fetch(`${labUrl}${playlist}`)).text();
  const names = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const local = names.map((name) => new URL(name, `${labUrl}${playlist}`).pathname);
  for (const path of local) await copy(`${labUrl}${path}`, join(root, path));
  const relative = text.replace(
    /^[^#\n].*$/gm,
    (line) => new URL(line, `${labUrl}${playlist}`).pathname.split('/').at(-1) ?? '',
  );
  await writeFile(join(root, playlist), relative);
}

async function copy(url: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`the lab responded with ${response.status} for ${url}`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(`${path}.partial`));
  await rename(`${path}.partial`, path);
}
