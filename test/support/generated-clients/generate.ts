import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);
const root = new URL('../../../', import.meta.url);
const atRoot = (path: string) => fileURLToPath(new URL(path, root));

/** Only ends what hangs. */
const TIMEOUT_MS = 540_000;

/** Generates `schema.d.ts` in a folder with the command of openapi-typescript, without options. */
export async function generateTypes(document: string, folder: string): Promise<void> {
  await runNode([
    atRoot('scripts/tools/node_modules/openapi-typescript/bin/cli.js'),
    document,
    '-o',
    join(folder, 'schema.d.ts'),
  ]);
}

/** Generates a client below `client/` in a folder with the command of Hey API, without options. */
export async function generateClient(document: string, folder: string): Promise<void> {
  const program = atRoot('scripts/tools/node_modules/@hey-api/openapi-ts/bin/run.js');
  await runNode([program, '-i', document, '-o', join(folder, 'client')], folder);
}

/** The settings of an ordinary TypeScript project with a bundler. */
const typescriptSettings = {
  compilerOptions: {
    strict: true,
    target: 'es2024',
    module: 'preserve',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    noEmit: true,
  },
};

/**
 * Type-checks a program beside a generated client, bundles it and runs it. Returns the JSON that it writes.
 *
 * @param settings Environment of the program.
 * @throws Error with the diagnostics of the compiler, or with the error of the program.
 */
export async function runWithClient(
  program: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<unknown> {
  await symlink(atRoot('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(typescriptSettings));
  await runNode([atRoot('node_modules/typescript/bin/tsc'), '-p', folder]);
  const bundle = await rolldown({ cwd: folder, input: './program.ts', platform: 'node', logLevel: 'warn' });
  await bundle.write({ file: join(folder, 'program.mjs') });
  await bundle.close();
  const { stdout } = await runNode([join(folder, 'program.mjs')], folder, settings);
  return JSON.parse(stdout);
}

/** Whether OpenAPI::Client is installed (`apt-get install libopenapi-client-perl`). */
export async function hasPerlClient(): Promise<boolean> {
  return await run('perl', ['-MOpenAPI::Client', '-e', '1']).then(
    () => true,
    () => false,
  );
}

/** The schema of OpenAPI documents that OpenAPI::Client fetches to check a document. */
const documentSchema = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20';

/**
 * Runs a program with OpenAPI::Client. Returns the JSON that it writes. Its cache contains an empty schema of
 * documents, because the schema is on the internet; other tests validate the documents.
 */
export async function runPerl(
  program: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<unknown> {
  await writeFile(join(folder, hash('md5', documentSchema)), JSON.stringify({ $id: documentSchema }));
  await writeFile(join(folder, 'program.pl'), program);
  const { stdout } = await runProgram('perl', [join(folder, 'program.pl')], folder, {
    ...settings,
    JSON_VALIDATOR_CACHE_PATH: folder,
    // Any other schema would be fetched through this proxy, which does not exist.
    HTTPS_PROXY: 'http://127.0.0.1:1',
  });
  return JSON.parse(stdout);
}

function runNode(args: readonly string[], cwd?: string, settings?: Readonly<Record<string, string>>) {
  return runProgram(process.execPath, args, cwd, settings);
}

async function runProgram(
  command: string,
  args: readonly string[],
  cwd?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string }> {
  try {
    return await run(command, args, { cwd, env: { ...process.env, ...settings }, timeout: TIMEOUT_MS });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
