import { writeFile } from 'node:fs/promises';
import { receiptOf } from '../../contract/addresses.ts';
import { maxReceiptBytes } from '../../contract/receipt.ts';
import type { Options } from '../command-line/command.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import type { Session } from '../service/session.ts';
import { standardOutput } from './destination.ts';
import { downloadChunks } from './download-chunks.ts';
import { fileError } from './file-error.ts';
import type { FetchContext, LocatedFile } from './locate-file.ts';

/** Time limit of a receipt, including retries. */
const TIMEOUT_MS = 60_000;

/** The option that saves receipts. */
export const receiptOption = {
  receipt: { type: 'boolean', description: 'Also save the signed receipt of each file, as name.receipt.' },
} as const satisfies Options;

/**
 * Checks that the files of a command can have receipts.
 *
 * @throws UsageError
 */
export function checkReceiptOption(output: string | undefined, session: Pick<Session, 'persistent'>): void {
  if (output === standardOutput) throw new UsageError('--receipt needs a file. Set another --output.');
  if (session.persistent) return;
  throw new UsageError(
    'Without a service, a receipt would be signed with a key that ends with this command. Add --service or --data.',
  );
}

/** Returns the link of a file's receipt. @throws CommandError if the file has none. */
export function requireReceipt(path: string, { receipt }: Pick<LocatedFile, 'receipt'>): string {
  if (typeof receipt === 'string') return receipt;
  throw new CommandError(
    `${path} has no receipt: only files that a job has made have one. Run the same command without --receipt.`,
  );
}

/**
 * Saves the receipt of a file next to it. Returns its path.
 *
 * @param url The link of the receipt.
 * @throws CommandError; errors of the client.
 */
export async function saveReceipt(
  path: string,
  url: string,
  force: boolean,
  { session, signal }: Pick<FetchContext, 'session' | 'signal'>,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  const limits = { signal, small: { maxBytes: maxReceiptBytes, timeout: TIMEOUT_MS } };
  for await (const chunk of downloadChunks(session.client, { url }, limits, async () => undefined)) chunks.push(chunk);
  const receiptPath = receiptOf(path);
  try {
    await writeFile(receiptPath, Buffer.concat(chunks), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw fileError(receiptPath, error);
  }
  return receiptPath;
}
