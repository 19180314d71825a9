/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import {
  generateClient,
  generateTypes,
  hasPerlClient,
  runPerl,
  runWithClient,
} from '../support/generated-clients/generate.ts';
import { heyApiProgram, openapiFetchProgram, perlProgram } from '../support/generated-clients/programs.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const settings = { SERVICE: service, KEY: keys.MEGA };
const folders: string[] = [];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-generated-'));
  folders.push(folder);
  return folder;
}

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

function expectProvenFile(result: unknown): void {
  expect(result).toMatchObject({ formats: ['144p', '720p'], code: 'not_found', isProven: true });
  const { size, received } = result as { readonly size: number; readonly received: number };
  expect(received).toBe(size);
  expect(size).toBeGreaterThan(10_000);
}

// A generator and a compiler start slowly on a busy machine.
describe.concurrent('a client generated with default settings renders a file', () => {
  test.each([
    ['openapi-typescript and openapi-fetch', generateTypes, openapiFetchProgram],
    ['@hey-api/openapi-ts', generateClient, heyApiProgram],
  ] as const)('after its program was type-checked: %s', async (_name, generate, program) => {
    const folder = await makeFolder();
    await generate(`${service}/openapi`, folder);
    expectProvenFile(await runWithClient(program, folder, settings));
  });

  test('in Perl: OpenAPI::Client', async ({ skip }) => {
    skip(!(await hasPerlClient()), 'OpenAPI::Client is not installed: apt-get install libopenapi-client-perl');
    expectProvenFile(await runPerl(perlProgram, await makeFolder(), settings));
  });
});
