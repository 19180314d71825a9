import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../contract/receipt.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { createReceiptSigner, receiptKeyOf, signedBytes, thumbprintOf } from './receipt-signer.ts';
import { exampleStatement } from './testing/example-statement.ts';
import { parseTrustedKeys, ReceiptRejected, verifyReceipt } from './verify-receipt.ts';

const signer = createReceiptSigner(['the present secret of the tests', 'an earlier secret of the tests']);
const statement = exampleStatement({ bytes: 3, sha256: 'b'.repeat(64) });
const receipt: Receipt = JSON.parse(signer.sign(statement));
const header = { alg: 'EdDSA', kid: signer.key.kid, typ: 'millrace-receipt+json' };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns why a receipt is rejected; undefined if it is valid. */
function rejectionOf(text: string, keys = signer.keys): ReceiptRejected['reason'] | undefined {
  try {
    verifyReceipt(text, keys);
    return undefined;
  } catch (error) {
    if (error instanceof ReceiptRejected) return error.reason;
    throw error;
  }
}

/** Returns text whose last character has the next value: in base64url, it differs in bits that decoders ignore. */
function nextCharacter(text: string): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
}

/** Returns a receipt that another key has signed correctly. */
function forgedWith(protectedHeader: unknown, payload: unknown = statement): { text: string; x: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const parts = { payload: encode(payload), protected: encode(protectedHeader) };
  const signature = sign(null, signedBytes(parts.protected, parts.payload), privateKey).toString('base64url');
  return { text: JSON.stringify({ ...parts, signature }), x: publicKey.export({ format: 'jwk' }).x ?? '' };
}

test('a receipt returns its statement and the ID of its key', () => {
  expect(verifyReceipt(JSON.stringify(receipt), signer.keys)).toEqual({ keyId: signer.key.kid, statement });
});

test('a receipt stays valid after the secret that signed it is removed, with its published key', () => {
  const earlier = createReceiptSigner(['an earlier secret of the tests']);
  const published = parseTrustedKeys(JSON.stringify({ keys: signer.keys }));
  expect(verifyReceipt(earlier.sign(statement), published).keyId).toBe(earlier.key.kid);
});

test('the key of a secret is the same on every node, and differs from that of any other secret', () => {
  expect(createReceiptSigner(['the present secret of the tests']).key).toEqual(signer.key);
  expect(new Set(signer.keys.map(({ x }) => x)).size).toBe(2);
});

test('a receipt is a standard signature: Ed25519 over header and payload, by a key with the RFC 7638 thumbprint', () => {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signer.key.x }, format: 'jwk' });
  const signed = Buffer.from(`${receipt.protected}.${receipt.payload}`);
  expect(verify(null, signed, key, Buffer.from(receipt.signature, 'base64url'))).toBe(true);
  // The key and the thumbprint of RFC 8037 appendix A.3.
  expect(thumbprintOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  );
});

describe('a forged receipt is rejected', () => {
  test('if any part was altered', () => {
    for (const part of ['payload', 'protected', 'signature'] as const) {
      for (let at = 0; at < receipt[part].length; at += 7) {
        const other = receipt[part][at] === 'A' ? 'B' : 'A';
        const altered = receipt[part].slice(0, at) + other + receipt[part].slice(at + 1);
        expect(rejectionOf(JSON.stringify({ ...receipt, [part]: altered })), `${part} ${at}`).toBeDefined();
      }
    }
  });

  test('if it has the signature of another statement', () => {
    const other: Receipt = JSON.parse(signer.sign({ ...statement, exitCountry: 'US' }));
    expect(rejectionOf(JSON.stringify({ ...receipt, payload: other.payload }))).toBe('wrong_signature');
  });

  test('if another key signed it, whether it names that key or a trusted one', () => {
    const forged = forgedWith(header);
    expect(rejectionOf(forged.text)).toBe('wrong_signature');
    const { kid } = receiptKeyOf(forged.x);
    expect(rejectionOf(forgedWith({ ...header, kid }).text)).toBe('unknown_key');
  });

  test('if the ID of a trusted key was given to another key in the key set', () => {
    const forged = forgedWith(header);
    const keys = parseTrustedKeys(JSON.stringify({ keys: [{ ...receiptKeyOf(forged.x), kid: signer.key.kid }] }));
    expect(rejectionOf(forged.text, keys)).toBe('unknown_key');
  });

  test.each([
    ['no signature', { ...header, alg: 'none' }],
    ['a shared secret', { ...header, alg: 'HS256' }],
    ['another type', { ...header, typ: 'JWT' }],
    ['no type', { alg: header.alg, kid: header.kid }],
    ['its own key', { ...header, jwk: receiptKeyOf(signer.key.x) }],
    ['the address of a key', { ...header, jku: 'https://attacker.example/keys.json' }],
    ['an unknown critical member', { ...header, crit: ['b64'], b64: false }],
    ['a number as the ID of the key', { ...header, kid: 7 }],
  ])('if its header has %s', (_, other) => {
    expect(rejectionOf(forgedWith(other).text)).toBe('malformed');
  });

  test('if it has an empty signature, or one of zeros', () => {
    expect(rejectionOf(JSON.stringify({ ...receipt, signature: '' }))).toBe('malformed');
    const zeros = Buffer.alloc(64).toString('base64url');
    expect(rejectionOf(JSON.stringify({ ...receipt, signature: zeros }))).toBe('wrong_signature');
  });

  test('if it is too large, truncated, or not an object', () => {
    const text = JSON.stringify(receipt);
    expect(rejectionOf(JSON.stringify({ ...receipt, more: 'x'.repeat(1024 * 1024) }))).toBe('malformed');
    for (const hostile of ['', 'null', '[]', '{}', '[[[['.repeat(10_000), text.slice(0, -10), `${text}{}`]) {
      expect(rejectionOf(hostile)).toBe('malformed');
    }
    expect(rejectionOf(JSON.stringify({ ...receipt, payload: { toString: 'x' } }))).toBe('malformed');
    expect(rejectionOf(`{"__proto__":${text}}`)).toBe('malformed');
  });

  test('if the signed statement is of a newer version, or not a statement', () => {
    const signAny = (value: unknown) => signer.sign(value as typeof statement);
    expect(rejectionOf(signAny({ ...statement, version: 2 }))).toBe('newer_version');
    expect(rejectionOf(signAny({ ...statement, output: {} }))).toBe('malformed');
    // A newer version of Millrace may have further operations and notes; its receipt is not a forgery.
    const operation = { ...statement.operation, type: 'later_operation' };
    const notes = [{ code: 'later_note', message: 'The note of a later version.' }];
    for (const later of [{ operation }, { notes }]) {
      expect(rejectionOf(signAny({ ...statement, ...later }))).toBe('newer_version');
      expect(rejectionOf(signAny({ ...statement, ...later, output: {} }))).toBe('malformed');
    }
    expect(rejectionOf(signAny('text'))).toBe('malformed');
  });
});

test('arbitrary texts and JSON values are rejected with a reason', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ payload: fc.base64String() }).map((v) => JSON.stringify(v)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(rejectionOf(text)).toBe('malformed');
    }),
    { seed: 1, numRuns: propertyRuns(200) },
  );
});

describe('a receipt with something that is not signed is rejected', () => {
  const { payload, protected: signedHeader, signature } = receipt;
  const forgedPayload = encode({ ...statement, exitCountry: 'US' });
  const text = JSON.stringify(receipt);

  test.each([
    ['an unprotected header', JSON.stringify({ ...receipt, header: { kid: signer.key.kid } })],
    ['an empty unprotected header', JSON.stringify({ ...receipt, header: {} })],
    ['other members', JSON.stringify({ ...receipt, b64: false })],
    ['further signatures', JSON.stringify({ ...receipt, signatures: [{ protected: signedHeader, signature }] })],
    ['another payload before its own', text.replace('{', `{"payload":"${forgedPayload}",`)],
    ['another payload behind its own', text.replace(/\}$/, `,"payload":"${forgedPayload}"}`)],
    ['its payload twice', text.replace('{', `{"payload":"${payload}",`)],
    ['a prototype', text.replace('{', '{"__proto__":{"payload":"x"},')],
    ['an escaped name', text.replace('"payload"', '"\\u0070ayload"')],
    [
      'an escaped character',
      text.replace(signature, `\\u00${signature.charCodeAt(0).toString(16)}${signature.slice(1)}`),
    ],
    ['the general form', JSON.stringify({ payload, signatures: [{ protected: signedHeader, signature }] })],
    ['the compact form', `${signedHeader}.${payload}.${signature}`],
    ['a list', JSON.stringify([receipt])],
    ['a detached payload', JSON.stringify({ protected: signedHeader, signature })],
    ['an empty payload', JSON.stringify({ ...receipt, payload: '' })],
    ['a payload that is not encoded', JSON.stringify({ ...receipt, payload: JSON.stringify(statement) })],
    ['an unused bit', JSON.stringify({ ...receipt, signature: nextCharacter(signature) })],
    ['padding', JSON.stringify({ ...receipt, signature: `${signature}==` })],
    ['characters that decoders skip', JSON.stringify({ ...receipt, signature: `${signature}.` })],
    ['spaces in its signature', JSON.stringify({ ...receipt, signature: ` ${signature}` })],
    ['a longer signature', JSON.stringify({ ...receipt, signature: `${signature.slice(0, -1)}${'A'.repeat(43)}` })],
  ])('%s', (_, hostile) => {
    expect(rejectionOf(hostile)).toBeDefined();
  });

  test('but spaces between its members and their order mean nothing', () => {
    expect(rejectionOf(` ${JSON.stringify({ signature, protected: signedHeader, payload }, null, '\t')}\r\n`)).toBe(
      undefined,
    );
  });
});

describe('trusted keys', () => {
  test('skip keys of other kinds', () => {
    const keys = [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, null, 7, ...signer.keys];
    expect(parseTrustedKeys(JSON.stringify({ keys })).map(({ x }) => x)).toEqual(signer.keys.map(({ x }) => x));
  });

  test.each(['before', 'behind'])('with a stolen ID %s the real one neither replace nor hide it', (place) => {
    const forged = forgedWith(header);
    const stolen = { ...receiptKeyOf(forged.x), kid: signer.key.kid };
    const set = place === 'before' ? [stolen, ...signer.keys] : [...signer.keys, stolen];
    const keys = parseTrustedKeys(JSON.stringify({ keys: set }));
    expect(rejectionOf(JSON.stringify(receipt), keys)).toBe(undefined);
    expect(rejectionOf(forged.text, keys)).toBe('wrong_signature');
  });

  test('that are no points of the curve verify nothing', () => {
    for (const byte of [0, 1, 2, 0x7f, 0xff]) {
      const { x } = receiptKeyOf(Buffer.alloc(32, byte).toString('base64url'));
      const { text } = forgedWith({ ...header, kid: thumbprintOf(x) });
      expect(rejectionOf(text, parseTrustedKeys(JSON.stringify({ keys: [receiptKeyOf(x)] })))).toBe('wrong_signature');
    }
  });

  test('in any JSON are read or refused', () => {
    const member = fc.oneof(
      fc.string(),
      fc.constantFrom('OKP', 'Ed25519', signer.key.x, `${signer.key.x}=`),
      fc.jsonValue(),
    );
    const key = fc.record({ kty: member, crv: member, x: member, kid: member, alg: member }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(fc.oneof(key, fc.jsonValue())), (keys) => {
        const text = JSON.stringify({ keys: [...keys, ...signer.keys] });
        expect(rejectionOf(JSON.stringify(receipt), parseTrustedKeys(text))).toBe(undefined);
      }),
      { seed: 1, numRuns: propertyRuns(200) },
    );
  });

  test.each(['', '{}', 'null', '{"keys":[]}', '{"keys":{}}', '{"keys":[{"kty":"OKP","crv":"X25519","x":"AA"}]}'])(
    'are refused in %j',
    (text) => {
      expect(() => parseTrustedKeys(text)).toThrow(ReceiptRejected);
    },
  );
});
