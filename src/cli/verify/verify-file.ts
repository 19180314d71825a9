import { open } from 'node:fs/promises';
import type { ReceiptKey, ReceiptStatement } from '../../contract/receipt.ts';
import { ReceiptRejected, verifyReceipt } from '../../receipts/verify-receipt.ts';
import { hashFile } from './hash-file.ts';

/** Why a file is not verified. */
export type VerificationFault = ReceiptRejected['reason'] | 'wrong_size' | 'wrong_hash';

/** The outcome of verifying a file with its receipt. */
export type Verification =
  | { readonly verified: true; readonly keyId: string; readonly statement: ReceiptStatement }
  | { readonly verified: false; readonly reason: VerificationFault; readonly message: string };

/**
 * Verifies that trusted keys have signed a receipt, and that it belongs to a file.
 *
 * @throws An error of the file system; the signal's reason.
 */
export async function verifyFile(
  path: string,
  receipt: string,
  trustedKeys: readonly ReceiptKey[],
  signal: AbortSignal,
): Promise<Verification> {
  try {
    const { keyId, statement } = verifyReceipt(receipt, trustedKeys);
    const fault = await compareFile(path, statement.output, signal);
    return fault ?? { verified: true, keyId, statement };
  } catch (error) {
    if (!(error instanceof ReceiptRejected)) throw error;
    return { verified: false, reason: error.reason, message: error.message };
  }
}

async function compareFile(
  path: string,
  { bytes, sha256 }: ReceiptStatement['output'],
  signal: AbortSignal,
): Promise<Verification | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size !== bytes) {
      const message = `The receipt is for a file of ${bytes} bytes, but this file has ${size}. It is another file, or incomplete.`;
      return { verified: false, reason: 'wrong_size', message };
    }
    if ((await hashFile(file, signal)) === sha256) return undefined;
    const message = 'The receipt is for a file with other content. It is another file, or it was changed.';
    return { verified: false, reason: 'wrong_hash', message };
  } finally {
    await file.close();
  }
}
