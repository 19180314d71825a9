import { open } from 'node:fs/promises';
import { receiptOf } from '../../contract/addresses.ts';
import { maxReceiptBytes, type ReceiptKey } from '../../contract/receipt.ts';
import { parseTrustedKeys, ReceiptRejected } from '../../receipts/verify-receipt.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { receiptText } from '../formatters/receipt-text.ts';
import { sanitiseJson, sanitiseLine } from '../terminal/sanitise.ts';
import { type VerificationFault, verifyFile } from '../verify/verify-file.ts';

const options = {
  key: {
    type: 'string',
    short: 'k',
    value: '<file>',
    description: 'File with the public keys that you trust; default: the file in MILLRACE_RECEIPT_KEYS.',
  },
  json: { type: 'boolean', description: 'Print the outcome as one JSON object.' },
} as const satisfies Options;

/** Maximum size of a file with keys: a thousand keys have half of that. */
const MAX_KEYS_BYTES = 512 * 1024;

const faultExits: Readonly<Record<VerificationFault, number>> = {
  malformed: exitCodes.unverified.code,
  wrong_signature: exitCodes.unverified.code,
  wrong_size: exitCodes.unverified.code,
  wrong_hash: exitCodes.unverified.code,
  unknown_key: exitCodes.untrusted.code,
  newer_version: exitCodes.failure.code,
};

/** `millrace verify`. */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Verify offline that a file is the one that its receipt describes.',
  usage: ['<file> [receipt]'],
  arity: [1, 2],
  options,
  details: `The receipt is the file with .receipt after its name, unless you name another. The command needs the public keys of the
service that made the file. Save them once, over a connection that you trust:

  curl https://millrace.example/.well-known/millrace-receipt-keys.json --output keys.json
  millrace verify film.mp4 --key keys.json

It exits with ${exitCodes.unverified.code} if the receipt is forged or the file differs, and with ${exitCodes.untrusted.code} if none of your keys signed it.`,
  async run({ values, positionals, terminal, signal, environment }: Invocation<typeof options>) {
    const [path = '', receiptPath = receiptOf(path)] = positionals;
    const trustedKeys = await readTrustedKeys(values.key ?? environment.MILLRACE_RECEIPT_KEYS);
    const receipt = await readText(receiptPath, maxReceiptBytes, 'receipt');
    const outcome = await verifyFile(path, receipt, trustedKeys, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreadable('file', path, error);
    });
    if (values.json === true)
      await terminal.print(`${sanitiseJson({ file: path, receipt: receiptPath, ...outcome }, 2)}\n`);
    if (outcome.verified) {
      const { keyId, statement } = outcome;
      if (values.json !== true)
        await terminal.print(`Verified: ${sanitiseLine(path)}\n${receiptText(keyId, statement)}`);
      return exitCodes.success.code;
    }
    if (values.json !== true)
      await terminal.print(`NOT VERIFIED: ${sanitiseLine(path)}\n${sanitiseLine(outcome.message)}\n`);
    return faultExits[outcome.reason];
  },
});

async function readTrustedKeys(path: string | undefined): Promise<readonly ReceiptKey[]> {
  if (path === undefined || path === '') {
    throw new UsageError(
      'There are no trusted keys. Save /.well-known/millrace-receipt-keys.json of the service, and pass it with --key.',
    );
  }
  const text = await readText(path, MAX_KEYS_BYTES, 'file with the keys');
  try {
    return parseTrustedKeys(text);
  } catch (error) {
    if (!(error instanceof ReceiptRejected)) throw error;
    throw new CommandError(`${path}: ${error.message}`, { cause: error });
  }
}

/** Reads a file of up to `maxBytes`. Of a larger one, it returns one byte more, which no parser accepts. */
async function readText(path: string, maxBytes: number, subject: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const buffer = Buffer.alloc(maxBytes + 1);
      let size = 0;
      for (let read = 1; read > 0 && size < buffer.length; size += read) {
        read = (await file.read(buffer, size, buffer.length - size)).bytesRead;
      }
      return buffer.toString('utf8', 0, size);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(subject, path, error);
  }
}

function unreadable(subject: string, path: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(`The ${subject} ${path} cannot be read: ${reason}.`, { cause });
}
