/** @module-tag long */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let packageFolder: string;

/** Packs the client and installs it into an empty project, as its users do. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-client-'));
  const pack = ['pack', '--workspace', 'millrace-client', '--ignore-scripts=false', '--pack-destination', folder];
  await run('npm', pack, { cwd: root });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
  packageFolder = join(folder, 'node_modules/millrace-client');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Type-checks a program in the empty project with the strictest compiler options. */
async function check(program: string, options: object): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
  const compilerOptions = { module: 'nodenext', target: 'es2024', types: [], ...strict, ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

const program = `
import {
  type Client, type CollectionEntry, createClient, MillraceApiError, recogniseLink, type RenderBatch, type RenderStatusEvent, verifyWebhook,
} from 'millrace-client';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => undefined;

export const client: Client = createClient({ url: 'http://127.0.0.1:8080', key: 'a key' });
const answer = await client.p1.video.details({ videoId: 'abc', renderableFormats: ['720p'], getTranscript: true });
same<typeof answer.metadata.title, string | undefined>(true);
const item = answer.contents?.[0]?.renderableVideos?.[0];
if (item?.renderConfig !== undefined) {
  const { output } = await client.renders.finish(item, { onStatus: ({ progress }) => progress.toFixed() });
  same<typeof output.size, number>(true);
  const file: ReadableStream<Uint8Array> = client.renders.download(output);
  await file.cancel();
}
same<RenderStatusEvent['retryable'], boolean | null>(true);
same<RenderStatusEvent['error_code'] & 'rate_limited', 'rate_limited'>(true);
await client.renders.start({
  inputs: [{ url: 'https://example.org/a.mp4', ext: 'mp4' }],
  output: { ext: 'm4a' },
  operation: { type: 'extract_audio' },
});
for await (const { id } of client.items('p1', 'search', { query: 'bridges', sortBy: 'rating' })) same<typeof id, string>(true);
const found = recogniseLink('https://youtu.be/dQw4w9WgXcQ');
if (found !== undefined) {
  const collection = client.collection(found, { limit: 3 });
  for await (const { title, resumeToken } of collection) same<typeof title, string | undefined>(true);
  const batch = client.renders.many(collection, { prepare: async ({ id }) => ({ executionUrl: String(id) }) });
  same<typeof batch, RenderBatch<CollectionEntry>>(true);
}
client.renders.many(['https://a.example/execute/1']).stop({ cancel: true });
export const failed = (error: unknown) => error instanceof MillraceApiError && error.code === 'rate_limited';
export const received = (request: Request, body: string) => verifyWebhook({ headers: request.headers, body }, 'a secret');
export const link = recogniseLink('https://youtu.be/dQw4w9WgXcQ')?.platform;

// @ts-expect-error a parameter is missing
await client.p1.video.details({});
// @ts-expect-error no such endpoint
await client.ask('p2', 'video/details', { videoId: 'abc' });
// @ts-expect-error no such value
await client.p1.video.details({ videoId: 'abc', urlAccess: 'direct' });
// @ts-expect-error numbers cannot be started without prepare or run
client.renders.many([1, 2]);
// @ts-expect-error no such operation
await client.renders.start({ inputs: [], output: { ext: 'mp4' }, operation: { type: 'none' } });
`;

it('has complete types for browsers without any other package', async () => {
  expect(await check(program, { lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'] })).toBe('');
});

it('has complete types for Node', async () => {
  for (const name of ['@types/node', 'undici-types']) {
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
  expect(await check(program, { lib: ['es2024'], types: ['node'] })).toBe('');
});

it('runs under plain Node without any other package', async () => {
  const script = `
    import { createClient, recogniseLink } from 'millrace-client';
    const fetch = async (url) => Response.json({ error: null, metadata: { title: String(url) } });
    const { p1, renders } = createClient({ url: 'http://127.0.0.1:8080', fetch });
    const { metadata } = await p1.video.details({ videoId: 'abc' });
    console.log(metadata.title, typeof renders.finish, recogniseLink('https://youtu.be/dQw4w9WgXcQ').platform);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
  expect(stdout.trim()).toBe('http://127.0.0.1:8080/p1/v3/video/details?videoId=abc function p1');
});

it('is a single small file', async () => {
  const code = await readFile(join(packageFolder, 'dist/index.js'), 'utf8');
  expect(code.length).toBeLessThanOrEqual(60 * 1_024);
  expect((await readdir(join(packageFolder, 'dist'))).toSorted()).toEqual(['LICENSE', 'index.d.ts', 'index.js']);
  expect((await stat(join(packageFolder, 'README.md'))).size).toBeGreaterThan(0);
});

it('has no dependencies and no imports', async () => {
  const text = await readFile(join(packageFolder, 'package.json'), 'utf8');
  expect(Object.keys(JSON.parse(text)).filter((name) => /dependencies/i.test(name))).toEqual([]);
  for (const file of ['index.js', 'index.d.ts']) {
    const code = await readFile(join(packageFolder, 'dist', file), 'utf8');
    expect(code).not.toMatch(/\bfrom\s*['"]|\bimport\s*(?:\(|['"])/);
  }
});

it('has the same version as the service', async () => {
  const versions = await Promise.all(
    [root, packageFolder].map(async (at) => JSON.parse(await readFile(join(at, 'package.json'), 'utf8')).version),
  );
  expect(versions[0]).toBe(versions[1]);
});

it("is identical to the module that the service's package exports", async () => {
  const script = "import * as client from 'millrace/client'; console.log(Object.keys(client).join());";
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
  expect(stdout.trim()).toBe(
    Object.keys(await import('./src/index.ts'))
      .toSorted()
      .join(),
  );
});
