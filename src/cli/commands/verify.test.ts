import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Receipt } from '../../contract/receipt.ts';
import { createReceiptSigner } from '../../receipts/receipt-signer.ts';
import { exampleStatement } from '../../receipts/testing/example-statement.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { recordingStream } from '../testing/recording-stream.ts';
import { verifyCommand } from './verify.ts';

const signer = createReceiptSigner(['a secret for these tests']);
const film = Buffer.from('a film');
const statementOf = (bytes: Buffer) =>
  exampleStatement({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });

let folder: string;
let path: string;
let keys: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-verify-'));
  path = join(folder, 'film.mp4');
  keys = join(folder, 'keys.json');
  await writeFile(path, film);
  await writeFile(`${path}.receipt`, signer.sign(statementOf(film)));
  await writeFile(keys, JSON.stringify({ keys: signer.keys }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the command and returns its exit code and its output. */
async function verify(
  values: Record<string, string | boolean> = { key: keys },
  environment: NodeJS.ProcessEnv = {},
  positionals: readonly string[] = [path],
) {
  const { stream, output } = recordingStream();
  const streams = { stdin: process.stdin, stdout: stream, stderr: stream } as unknown as NodeJS.Process;
  const terminal = openTerminal(streams, () => undefined);
  const { signal } = new AbortController();
  const code = await verifyCommand.run({ values, positionals, terminal, signal, environment });
  return { code, output: output() };
}

describe('millrace verify', () => {
  test('accepts a file with its receipt, and names its key and its source', async () => {
    const { code, output } = await verify();
    expect(code).toBe(0);
    expect(output).toContain(`Verified: ${path}`);
    expect(output).toContain(`key ${signer.key.kid}`);
    expect(output).toContain('p1 /video/details videoId=lab-plain30 item 1 client visionos');
    expect(output).toContain('video h264 (900 packets, 30.00 s)');
  });

  test('takes the trusted keys from the environment, and the receipt from another path', async () => {
    const receipt = join(folder, 'other');
    await writeFile(receipt, signer.sign(statementOf(film)));
    await rm(`${path}.receipt`);
    expect((await verify({}, { MILLRACE_RECEIPT_KEYS: keys }, [path, receipt])).code).toBe(0);
  });

  test('requires trusted keys', async () => {
    await expect(verify({})).rejects.toThrow('There are no trusted keys.');
    await writeFile(keys, '{}');
    await expect(verify()).rejects.toThrow('not a JSON Web Key Set');
  });

  test('prints the statement or the reason as JSON', async () => {
    const verified = JSON.parse((await verify({ key: keys, json: true })).output);
    expect(verified).toEqual({
      file: path,
      receipt: `${path}.receipt`,
      verified: true,
      keyId: signer.key.kid,
      statement: statementOf(film),
    });
    await writeFile(path, 'a fi1m');
    const { code, output } = await verify({ key: keys, json: true });
    expect([code, JSON.parse(output)]).toMatchObject([8, { verified: false, reason: 'wrong_hash' }]);
  });

  test.each<[string, number, string, () => Promise<unknown>]>([
    ['is incomplete', 8, 'has 3', () => writeFile(path, 'a f')],
    ['was changed', 8, 'other content', () => writeFile(path, 'a fi1m')],
    [
      'has the receipt of another file',
      8,
      'a file of 10 bytes',
      () => writeFile(`${path}.receipt`, signer.sign(statementOf(Buffer.from('other film')))),
    ],
    [
      'has a receipt with an altered statement',
      8,
      'changed or forged',
      async () => {
        const receipt: Receipt = JSON.parse(signer.sign(statementOf(Buffer.from('a foil'))));
        const payload = Buffer.from(JSON.stringify(statementOf(film))).toString('base64url');
        await writeFile(`${path}.receipt`, JSON.stringify({ ...receipt, payload }));
      },
    ],
    [
      'has a receipt by an unknown key',
      9,
      'not among the trusted keys',
      () => writeFile(`${path}.receipt`, createReceiptSigner(['a secret of others']).sign(statementOf(film))),
    ],
    ['has a huge receipt', 8, 'larger than', () => writeFile(`${path}.receipt`, Buffer.alloc(5_000_000, '['))],
    ['has an empty receipt', 8, 'not valid JSON', () => writeFile(`${path}.receipt`, '')],
  ])('rejects a file that %s', async (_, code, message, change) => {
    await change();
    const outcome = await verify();
    expect(outcome.code).toBe(code);
    expect(outcome.output).toContain('NOT VERIFIED');
    expect(outcome.output).toContain(message);
  });

  test('prints no control characters from a statement', async () => {
    const hostile = { ...statementOf(film), exitCountry: '\u001b[2Jfr\u202e' };
    await writeFile(`${path}.receipt`, signer.sign(hostile));
    const { output } = await verify();
    expect([output.includes('\u001b'), output.includes('\u202e')]).toEqual([false, false]);
  });

  test('reports a missing receipt', async () => {
    await rm(`${path}.receipt`);
    await expect(verify()).rejects.toThrow('The receipt');
  });
});
