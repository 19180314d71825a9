import { createHmac } from 'node:crypto';
import { createSealer, type Sealer, type SealPurpose } from './sealer.ts';

/** The sealer of each world. Neither opens a text that the other has sealed. */
export interface Sealers {
  /** Seals the links of live keys, and all texts that no caller receives. */
  readonly live: Sealer;
  /** Seals the links of test keys. It exists without the lab, too, because files of test jobs may still exist. */
  readonly test: Sealer;
}

/** Creates the sealers. The secrets of test links are derived from the given ones, so that both rotate together. */
export function createSealers(secrets: readonly string[]): Sealers {
  const testSecrets = secrets.map((secret) => createHmac('sha256', secret).update('test mode').digest('base64url'));
  return { live: createSealer(secrets), test: createSealer(testSecrets) };
}

/** Returns the sealer of an account's links. */
export function sealerFor({ live, test }: Sealers, isTest: boolean): Sealer {
  return isTest ? test : live;
}

/** Whether a link that is used without a key belongs to a test key: the test sealer opens it. */
export function isTestLink({ test }: Sealers, purpose: SealPurpose, link: string): boolean {
  return test.open(purpose, link) !== undefined;
}

/** Returns the sealer that opens a link that is used without a key; that of live keys if none does. */
export function sealerOfLink(sealers: Sealers, purpose: SealPurpose, link: string): Sealer {
  return sealerFor(sealers, isTestLink(sealers, purpose, link));
}
