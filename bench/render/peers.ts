import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Cost } from '../measure.ts';
import { media } from './origin.ts';

const run = promisify(execFile);
const folder = resolve('data', 'bench', 'peer');

/**
 * Runs aria2c with eight connections on each of two inputs concurrently, then ffmpeg, which moves the index to the
 * front.
 */
export function joinWithAria(origin: string): Promise<Cost> {
  return timeScript(`
    aria2c -q -x8 -s8 -d . -o v.mp4 ${origin}${media.video} & video=$!
    aria2c -q -x8 -s8 -d . -o a.mp4 ${origin}${media.audio} & audio=$!
    wait $video && wait $audio
    ffmpeg -v error -y -i v.mp4 -i a.mp4 -map 0 -map 1 -c copy -movflags +faststart out.mp4`);
}

/**
 * Does the work of {@link joinWithAria}, and hashes the inputs and the result. OpenSSL takes a quarter of the processor
 * time of sha256sum.
 */
export function joinAndHash(origin: string): Promise<Cost> {
  return timeScript(`
    aria2c -q -x8 -s8 -d . -o v.mp4 ${origin}${media.video} & video=$!
    aria2c -q -x8 -s8 -d . -o a.mp4 ${origin}${media.audio} & audio=$!
    wait $video && wait $audio
    openssl dgst -sha256 v.mp4 a.mp4 > hashes & hashes=$!
    ffmpeg -v error -y -i v.mp4 -i a.mp4 -map 0 -map 1 -c copy -movflags +faststart out.mp4
    openssl dgst -sha256 out.mp4
    wait $hashes`);
}

/** Runs only the downloads of {@link joinWithAria}. */
export function downloadWithAria(origin: string): Promise<Cost> {
  return timeScript(`
    aria2c -q -x8 -s8 -d . -o v.mp4 ${origin}${media.video} & video=$!
    aria2c -q -x8 -s8 -d . -o a.mp4 ${origin}${media.audio} & audio=$!
    wait $video && wait $audio`);
}

/** Runs aria2c on eight segments at a time, then ffmpeg on the local playlist. */
export function hlsWithAria(origin: string): Promise<Cost> {
  const base = `${origin}${media.playlist}`;
  return timeScript(`
    curl -s -o index.m3u8 ${base}
    grep -v '^#' index.m3u8 | sed 's|^|${base.slice(0, base.lastIndexOf('/') + 1)}|' > list
    aria2c -q -j8 -d . -i list
    ffmpeg -v error -y -i index.m3u8 -c copy -movflags +faststart out.mp4`);
}

/** Runs ffmpeg with the service's own settings for a re-encode, on a local file. */
export function encodeWithFfmpeg(root: string): Promise<Cost> {
  return timeScript(`
    ffmpeg -v error -y -i ${root}${media.short} -c:v libx264 -preset veryfast -crf 23 -c:a aac -b:a 128k -movflags +faststart out.mp4`);
}

/** Part of the media, in seconds. */
interface Part {
  readonly start: number;
  readonly seconds: number;
}

/** Path of the file that {@link clipWithFfmpeg} makes. */
export const clippedFile = resolve(folder, 'out.mp4');

/** Runs ffmpeg, which seeks in the files of an origin and copies a part of them. */
export function clipWithFfmpeg(urls: readonly string[], { start, seconds }: Part): Promise<Cost> {
  const inputs = urls.map((url) => `-ss ${start} -t ${seconds} -i ${url}`).join(' ');
  const maps = urls.map((_, index) => `-map ${index}`).join(' ');
  return timeScript(`
    ffmpeg -v error -y ${inputs} ${maps} -c copy -movflags +faststart ${clippedFile}`);
}

/** Runs ffmpeg to mix two audio tracks with a copied video, on local files. */
export function mixWithFfmpeg(root: string): Promise<Cost> {
  return timeScript(`
    ffmpeg -v error -y -i ${root}${media.talk} -i ${root}${media.music} -filter_complex '[0:a][1:a]amix=inputs=2:duration=longest[a]' \\
      -map 0:v -map '[a]' -c:v copy -c:a aac -b:a 128k -movflags +faststart out.mp4`);
}

/** Measures a Bash script with all processes that it starts, in an empty folder. */
async function timeScript(script: string): Promise<Cost> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { stderr } = await run('bash', ['-c', `set -e; TIMEFORMAT='cost %R %U %S'; time { ${script}\n}`], {
    cwd: folder,
    maxBuffer: 1024 * 1024,
  });
  const [, wall, user, system] = /cost ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  if (wall === undefined) throw new Error(`a peer failed:\n${stderr}`);
  return { wall: Number(wall), cpu: Number(user) + Number(system) };
}

/** Returns the tools of these peers that this machine lacks. */
export async function missingTools(): Promise<string[]> {
  const tools = ['aria2c', 'ffmpeg', 'nginx', 'curl', 'openssl', 'bash'];
  const isInstalled = await Promise.all(
    tools.map((tool) =>
      run('sh', ['-c', `command -v ${tool}`]).then(
        () => true,
        () => false,
      ),
    ),
  );
  return tools.filter((_tool, index) => !isInstalled[index]);
}
