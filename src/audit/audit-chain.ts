import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { auditFaults } from '../contract/admin-api/audit-entry.ts';
import { matchesSecret } from '../sealing/compare-secret.ts';

/** Seals the hashes of the audit log, so that somebody with access to the database alone cannot write entries. */
export interface AuditSealer {
  /** Returns the seal of a hash: its HMAC-SHA-256 under the first secret, in hexadecimal. */
  seal(purpose: SealPurpose, hash: string): string;
  /** Returns which of the secrets, counted from 0, made the seal of a hash; undefined if none did. */
  secretOf(purpose: SealPurpose, hash: string, seal: string | null): number | undefined;
}

/** What a seal confirms: that an entry was written, or that the log begins after a deleted entry. */
type SealPurpose = 'entry' | 'start';

/** An entry as the chain sees it. */
export interface ChainedEntry {
  readonly id: string;
  /** The text that is hashed. */
  readonly content: string;
  /** Null in entries of earlier versions. */
  readonly hash: string | null;
  readonly seal: string | null;
}

/** Where the chain begins, if older entries were deleted. */
export interface ChainStart {
  readonly hash: string;
  readonly seal: string;
}

/** Something that no change through the service can have caused. */
export interface ChainFault {
  readonly kind: (typeof auditFaults)[number];
  /** ID of the entry at which it was found; null for the start of the log. */
  readonly entry: string | null;
}

/** Faults that are listed. Each entry can have one. */
export const MAX_FAULTS = 100;

/** Creates the sealer of a service from its signing secrets, newest first. */
export function createAuditSealer(secrets: readonly string[]): AuditSealer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'millrace', 'audit-log', 32)));
  const sealWith = (key: Buffer, purpose: SealPurpose, hash: string) =>
    createHmac('sha256', key).update(`${purpose}\0${hash}`).digest('hex');
  const [first] = keys;
  if (first === undefined) throw new Error('A sealer of the audit log needs at least one secret.');
  return {
    seal: (purpose, hash) => sealWith(first, purpose, hash),
    secretOf(purpose, hash, seal) {
      const index = keys.findIndex((key) => matchesSecret(seal ?? '', sealWith(key, purpose, hash)));
      return index < 0 ? undefined : index;
    },
  };
}

/** Returns the hash of an entry, which also covers all entries before it. */
export function hashOfEntry(previousHash: string, content: string): string {
  return createHash('sha256').update(`${previousHash}\n${content}`).digest('hex');
}

/**
 * Checks a chain, from its oldest entry to its newest. A valid seal confirms its entry and all before it, because the hash
 * covers them, so entries that were sealed with a removed secret need only one later entry with a present one.
 *
 * @param anchor Hash of an entry that must be there.
 */
export function createChainChecker(sealer: AuditSealer, start: ChainStart | undefined, anchor?: string) {
  const faults: ChainFault[] = [];
  const report = (kind: ChainFault['kind'], entry: string | null) => {
    if (faults.length < MAX_FAULTS) faults.push({ kind, entry });
  };
  let head: string | undefined = start?.hash;
  let unconfirmed: string | undefined;
  let hasAnchor = anchor === undefined || anchor === start?.hash;
  /** Number of entries of earlier versions. */
  let unprotected = 0;
  if (start !== undefined && sealer.secretOf('start', start.hash, start.seal) === undefined)
    report('wrong_start', null);
  return {
    add({ id, content, hash, seal }: ChainedEntry): void {
      if (hash === null) {
        if (head === undefined) unprotected += 1;
        else report('unchained', id);
        return;
      }
      if (hashOfEntry(head ?? '', content) !== hash) report('altered', id);
      head = hash;
      hasAnchor ||= hash === anchor;
      if (sealer.secretOf('entry', hash, seal) === undefined) unconfirmed ??= id;
      else unconfirmed = undefined;
    },
    end() {
      if (!hasAnchor) report('missing', null);
      if (unconfirmed !== undefined) report('unsealed', unconfirmed);
      return { faults, head: head ?? null, unprotected };
    },
  };
}
