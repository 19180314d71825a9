import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { startLab } from './lab.ts';

/**
 * The demo runs the main job offline: from a video ID of a simulated platform to a finished file, through the real
 * service. It uses the service over HTTP, as any caller would.
 */

const FOLDER = join('data', 'demo');
const VIDEO_ID = 'lab-plain30';
const KEY = 'demo-key';
const RENDER_KEY = 'demo-render-key';
/** Port of the service with `--stay`, if it is free. The README's examples send their requests to it. */
const KNOWN_PORT = 8080;
const START_TIMEOUT_MS = 60_000;

interface Details {
  readonly error: { readonly message: string } | null;
  readonly contents: readonly {
    readonly videos: readonly { readonly label: string }[];
    readonly renderableVideos: readonly {
      readonly label: string;
      readonly error?: string;
      readonly renderConfig?: { readonly executionUrl: string };
    }[];
  }[];
  readonly metadata: { readonly title: string; readonly additionalData: { readonly duration: number } };
}

interface StatusEvent {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  readonly output: { readonly url: string; readonly size: number; readonly sizeText: string } | null;
}

async function main(): Promise<void> {
  say('Starting the simulated internet (the first start generates its media) …');
  const lab = await startLab({ port: 0, cacheDirectory: join('data', 'lab') });
  const stays = process.argv.includes('--stay');
  const port = await freePort(stays ? KNOWN_PORT : 0);
  const service = startService(lab.url, port);
  try {
    const base = `http://127.0.0.1:${port}`;
    say('Starting the service …');
    await untilReady(service, `${base}/health`);
    await walk(base);
    if (stays) await stay(service, base, lab.url);
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
    await lab.close();
  }
}

/** Keeps everything running until Ctrl-C, so that people can try it out. */
async function stay(service: ChildProcess, base: string, labUrl: string): Promise<void> {
  say(`\nThe service runs until you press Ctrl-C:\n  page            ${base}/\n  documentation   ${base}/docs`);
  say(
    `  keys            ${KEY} (extraction API), ${RENDER_KEY} (your own jobs)\n  uploads         ${labUrl}/_lab/store`,
  );
  say('\nPaste one of these into the page, or search for "old bridges":');
  say(`  https://www.youtube.com/watch?v=${VIDEO_ID}`);
  say('  https://www.instagram.com/p/lab-caromix/\n  https://www.dailymotion.com/video/xlab30');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(service, 'exit')]);
}

/** Runs the whole job: link, render config, status stream, download, verification. */
async function walk(base: string): Promise<void> {
  const details = await fetchJson<Details>(`${base}/p1/v3/video/details?videoId=${VIDEO_ID}&renderableFormats=highres`);
  if (details.error !== null) throw new Error(details.error.message);
  const [content] = details.contents;
  say(`\n  ${details.metadata.title}`);
  say(`  qualities: ${content?.videos.map(({ label }) => label).join(', ')}`);
  const [best] = content?.renderableVideos ?? [];
  if (best?.renderConfig === undefined) throw new Error(best?.error ?? 'the service offered no render');
  say(`  rendering ${best.label} from its video and audio to MP4\n`);

  const started = await fetchJson<{ sseStatusUrl: string }>(best.renderConfig.executionUrl);
  const { output } = await watch(started.sseStatusUrl);
  const path = join(FOLDER, decodeURIComponent(new URL(output.url).pathname.split('/').at(-1) ?? 'demo.mp4'));
  await download(output.url, path);
  const proof = await verify(path, output.size, details.metadata.additionalData.duration);
  say(`\n  ${path}\n  ${output.sizeText}, ${proof}`);
  say('\nThe file was checked with a reader that is independent of the one that wrote it.');
}

async function watch(url: string): Promise<{ output: NonNullable<StatusEvent['output']> }> {
  const response = await fetch(url);
  if (response.body === null) throw new Error('the status stream is empty');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = JSON.parse(text.slice('data: '.length, end)) as StatusEvent;
      text = text.slice(end + 2);
      showProgress(event);
      if (event.output !== null) return { output: event.output };
      if (event.status === 'failed' || event.status === 'not_found') throw new Error(event.error ?? event.status);
    }
  }
  throw new Error('the status stream ended before the job did');
}

function showProgress({ status, progress }: StatusEvent): void {
  const width = 30;
  const filledWidth = Math.round((progress / 100) * width);
  const bar = `  [${'#'.repeat(filledWidth)}${'.'.repeat(width - filledWidth)}] ${String(progress).padStart(3)} %  ${status.padEnd(20)}`;
  if (process.stdout.isTTY) process.stdout.write(`\r${bar}${status === 'done' ? '\n' : ''}`);
  else say(bar);
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`the download returned ${response.status}`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
}

/** Reads the file to its last packet, and compares it with the reported size and duration. */
async function verify(path: string, size: number, duration: number): Promise<string> {
  const source = new FilePathSource(path);
  const input = new Input({ source, formats: ALL_FORMATS });
  const trackNames: string[] = [];
  for (const track of await input.getTracks()) {
    const { packetCount } = await track.computePacketStats();
    trackNames.push(`${track.type} ${track.codec} (${packetCount} packets)`);
  }
  const computedDuration = await input.computeDuration();
  if ((await source.getSize()) !== size)
    throw new Error('the size of the file differs from the size that the service reported');
  if (Math.abs(computedDuration - duration) > 1)
    throw new Error(`the file plays for ${computedDuration} s instead of ${duration} s`);
  return `${computedDuration.toFixed(2)} s, ${trackNames.join(' + ')}`;
}

function startService(labUrl: string, port: number): ChildProcess {
  return spawn(process.execPath, ['dist/bin/service.js'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(FOLDER, 'service'),
      EXTRACTION_KEYS: `MEGA:${KEY}`,
      WEB_KEY: KEY,
      RENDER_KEYS: RENDER_KEY,
      EGRESS_CONNECT_TO: `*=${labUrl}`,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function untilReady(service: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (service.exitCode !== null) throw new Error('the service exited during its start; see above');
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error('the service was not ready in time');
}

async function fetchJson<Body>(url: string): Promise<Body> {
  const response = await fetch(url, { headers: { 'x-marketplace-key': KEY, 'x-marketplace-host': 'demo' } });
  return (await response.json()) as Body;
}

/** Returns the preferred port, or any other port if that one is in use. */
async function freePort(preferred = 0): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (preferred === 0) throw error;
    return freePort();
  }
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('the operating system assigned no port');
  return address.port;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
main().catch((error: unknown) => {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
