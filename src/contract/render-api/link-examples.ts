import type { Receipt, ReceiptKeys } from '../receipt.ts';
import type { ExamplesOf } from './examples.ts';

/** An example of a receipt. Its parts are shortened, so it cannot be verified. */
export const receiptExamples: ExamplesOf<Receipt> = {
  receipt: {
    summary: 'A receipt, shortened',
    value: {
      payload: 'eyJ2ZXJzaW9uIjoxLCJpdGVtIjpudWxsfQ',
      protected: 'eyJhbGciOiJFZERTQSIsInR5cCI6Im1pbGxyYWNlLXJlY2VpcHQranNvbiJ9',
      signature: 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    },
  },
};

/** An example of the public keys of receipts: the first key of RFC 8037. */
export const receiptKeysExamples: ExamplesOf<ReceiptKeys> = {
  one: {
    summary: 'One key',
    value: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          alg: 'EdDSA',
          use: 'sig',
          firstUsedAt: '2026-11-01T00:00:00.000Z',
          lastUsedAt: '2026-11-22T10:00:00.000Z',
        },
      ],
    },
  },
};
