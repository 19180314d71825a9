import { createPublicKey, verify } from 'node:crypto';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import {
  maxReceiptBytes,
  type Receipt,
  type ReceiptKey,
  type ReceiptStatement,
  receiptKeysSchema,
  receiptSchema,
  receiptStatementSchema,
  receiptVersion,
} from '../contract/receipt.ts';
import { receiptType, signedBytes, thumbprintOf } from './receipt-signer.ts';

/** Why a receipt was rejected. The message is a sentence for people. */
export class ReceiptRejected extends Error {
  override readonly name = 'ReceiptRejected';
  readonly reason: 'malformed' | 'unknown_key' | 'wrong_signature' | 'newer_version';

  constructor(reason: ReceiptRejected['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A statement whose signature was verified, and the ID of the key that signed it. */
export interface VerifiedStatement {
  readonly keyId: string;
  readonly statement: ReceiptStatement;
}

const headerSchema = Type.Object(
  { alg: Type.Literal('EdDSA'), kid: Type.String({ maxLength: 200 }), typ: Type.Literal(receiptType) },
  // A header that a verifier must understand (`crit`) or could be misled by (`jwk`, `jku`, `b64`) is not in a receipt.
  { additionalProperties: false },
);

const versionSchema = Type.Object({ version: Type.Integer({ minimum: receiptVersion + 1 }) });

/** What every statement of this version contains. Other members may have values that a later Millrace introduced. */
const commonSchema = Type.Pick(receiptStatementSchema, ['version', 'output', 'software']);

/**
 * Verifies a receipt with trusted keys. The algorithm is always Ed25519, whatever the receipt says, and the key is always
 * one of `trustedKeys`. Nothing in the statement is read before its signature is verified.
 *
 * @param text The receipt as JSON.
 * @throws ReceiptRejected
 */
export function verifyReceipt(text: string, trustedKeys: readonly ReceiptKey[]): VerifiedStatement {
  const receipt = readReceipt(text);
  const keyId = readKeyId(receipt);
  const key = trustedKeys.find(({ x }) => thumbprintOf(x) === keyId);
  if (key === undefined) {
    const message = `The receipt names the key ${keyId}, which is not among the trusted keys.`;
    throw new ReceiptRejected('unknown_key', message);
  }
  const { payload, protected: header, signature } = receipt;
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  if (!verify(null, signedBytes(header, payload), publicKey, Buffer.from(signature, 'base64url'))) {
    const message = `The signature does not match the key ${keyId}: the receipt was changed or forged.`;
    throw new ReceiptRejected('wrong_signature', message);
  }
  return { keyId, statement: readStatement(payload) };
}

/**
 * Parses trusted keys from a JSON Web Key Set. Keys of other kinds are skipped. The ID in the set is not used, because a
 * key's ID follows from the key.
 *
 * @throws ReceiptRejected if the text is not a key set with at least one Ed25519 key.
 */
export function parseTrustedKeys(text: string): readonly ReceiptKey[] {
  const set = parseJson(text, 'The trusted keys are');
  const keys = isKeySet(set) ? set.keys.filter((key) => Check(receiptKeysSchema, { keys: [key] })) : [];
  if (keys.length > 0) return keys as readonly ReceiptKey[];
  throw new ReceiptRejected('malformed', 'The trusted keys are not a JSON Web Key Set with an Ed25519 key.');
}

function isKeySet(value: unknown): value is { readonly keys: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}

function readReceipt(text: string): Receipt {
  if (text.length > maxReceiptBytes) {
    throw new ReceiptRejected('malformed', `The receipt is larger than ${maxReceiptBytes} bytes.`);
  }
  const receipt = parseJson(text, 'The receipt is');
  if (!Check(receiptSchema, receipt)) {
    throw new ReceiptRejected('malformed', 'The receipt is not a flattened JSON Web Signature.');
  }
  if (isExact(receipt, text)) return receipt;
  throw new ReceiptRejected('malformed', 'The receipt contains more than the three members that its signature covers.');
}

/**
 * Whether a receipt has its three members only, each once and in the only encoding of its bytes. An unprotected header,
 * a second payload or an escaped name is not signed, and other programs could read it as part of the statement
 * (RFC 7515, sections 7.2.2 and 10.12).
 */
function isExact(receipt: Receipt, text: string): boolean {
  return (
    Object.keys(receipt).length === 3 &&
    Object.values(receipt).every((value) => Buffer.from(value, 'base64url').toString('base64url') === value) &&
    JSON.stringify(receipt) === text.replace(/[ \t\r\n]/g, '')
  );
}

function readKeyId({ protected: header }: Receipt): string {
  const value = parseJson(decode(header), 'The header of the receipt is');
  if (Check(headerSchema, value)) return value.kid;
  throw new ReceiptRejected('malformed', 'The header of the receipt is not that of a Millrace receipt.');
}

function readStatement(payload: string): ReceiptStatement {
  const statement = parseJson(decode(payload), 'The statement of the receipt is');
  if (Check(receiptStatementSchema, statement)) return statement;
  if (Check(versionSchema, statement)) {
    const message = `The receipt has version ${statement.version}. Verify it with a newer version of Millrace.`;
    throw new ReceiptRejected('newer_version', message);
  }
  if (Check(commonSchema, statement)) {
    const message = `Millrace ${statement.software.millrace} made the receipt. Verify it with that version or a newer one.`;
    throw new ReceiptRejected('newer_version', message);
  }
  throw new ReceiptRejected('malformed', 'The signed statement is not that of a Millrace receipt.');
}

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReceiptRejected('malformed', `${subject} not valid JSON.`, { cause: error });
  }
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
