import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import type { AuditEntry, auditFaults } from '../contract/admin-api/audit-entry.ts';
import { matchesSecret } from '../sealing/compare-secret.ts';

/** Seals the hashes of the audit log, so that somebody with access to the database alone cannot write entries. */
export interface AuditSealer {
  /** Returns the seal of a text: its HMAC-SHA-256 under the first secret, in hexadecimal. */
  seal(purpose: SealPurpose, text: string): string;
  /** Returns which of the secrets, counted from 0, made the seal of a text; undefined if none did. */
  secretOf(purpose: SealPurpose, text: string, seal: string | null): number | undefined;
}

/** What a seal confirms: the hash of an entry, the start of the chain, or a start that an operator accepted. */
type SealPurpose = 'entry' | 'start' | 'accepted_start';

/** An entry as the database has it. */
export interface StoredEntry extends AuditEntry {
  /** Null in entries that a node of an earlier version wrote. */
  readonly hash: string | null;
  readonly seal: string | null;
}

/** Where the chain begins. */
export interface ChainStart {
  /** Hash of the last deleted entry; while none was deleted, a text that only this chain begins with. */
  readonly hash: string;
  /** ID of the last entry that an earlier version wrote. The service chained these entries when the chain began. */
  readonly adopted: string;
  /** When the chain began (ISO 8601). */
  readonly since: string;
}

/** A {@link ChainStart} as the database has it. */
export interface SealedStart extends ChainStart {
  readonly seal: string;
}

/** Something that no change through the service can have caused. */
export interface ChainFault {
  readonly kind: (typeof auditFaults)[number];
  /** ID of the entry at which it was found; null for the start of the log. */
  readonly entry: string | null;
}

/** Faults that are listed. Each entry can have several. */
export const MAX_FAULTS = 100;

/** Creates the sealer of a service from its signing secrets, newest first. */
export function createAuditSealer(secrets: readonly string[]): AuditSealer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'millrace', 'audit-log', 32)));
  const sealWith = (key: Buffer, purpose: SealPurpose, text: string) =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest('hex');
  const [first] = keys;
  if (first === undefined) throw new Error('A sealer of the audit log needs at least one secret.');
  return {
    seal: (purpose, text) => sealWith(first, purpose, text),
    secretOf(purpose, text, seal) {
      const index = keys.findIndex((key) => matchesSecret(seal ?? '', sealWith(key, purpose, text)));
      return index < 0 ? undefined : index;
    },
  };
}

/** The seal of a genuine start. */
interface StartSeal {
  /** Which secret made it; see {@link AuditSealer.secretOf}. */
  readonly secret: number;
  /** Whether the log was empty and new when the chain began, or an operator has accepted this beginning. */
  readonly isAccepted: boolean;
}

/** Returns the seal of a start with the first secret. The seal itself says whether the start is accepted. */
export function sealStart(sealer: AuditSealer, start: ChainStart, isAccepted: boolean): string {
  return sealer.seal(isAccepted ? 'accepted_start' : 'start', textOfStart(start));
}

/** Reads the seal of a start; undefined if no present secret made it. */
export function readStartSeal(sealer: AuditSealer, start: SealedStart): StartSeal | undefined {
  const text = textOfStart(start);
  const accepted = sealer.secretOf('accepted_start', text, start.seal);
  const secret = accepted ?? sealer.secretOf('start', text, start.seal);
  return secret === undefined ? undefined : { secret, isAccepted: accepted !== undefined };
}

function textOfStart({ hash, adopted, since }: ChainStart): string {
  return [hash, adopted, since].join('\n');
}

/**
 * Returns the hash of an entry, which also covers all entries before it. It covers the values that the log lists, and is
 * computed here, because a function in the database could return another text than that of the listed values.
 */
export function hashOfEntry(previousHash: string, entry: Omit<AuditEntry, 'id'>): string {
  const { at, actor, action, target, changes, reason, requestId } = entry;
  const content = JSON.stringify([at, actor, action, target, sortMembers(changes), reason, requestId]);
  return createHash('sha256').update(`${previousHash}\n${content}`).digest('hex');
}

/**
 * Returns what an entry continues if no present secret sealed the hash before it. Without this, the seal of the next entry
 * would confirm hashes that somebody else computed.
 */
export function afterUnsealed(previousHash: string): string {
  return `unsealed ${previousHash}`;
}

/** Returns a JSON value with its members in one order. The database keeps another one than the service wrote. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

/** Returns the text that a chain begins with. Entries of one chain do not continue the start of another. */
export function newBeginning(): string {
  return `begin ${randomUUID()}`;
}

/** Returns the hash of the last deleted entry; null while none was deleted. */
function headOfStart(start: ChainStart | undefined): string | null {
  return start === undefined || !/^[0-9a-f]+$/.test(start.hash) ? null : start.hash;
}

/**
 * Checks a chain, from its newest entry to its oldest. A valid seal confirms its entry and all before it, because the hash
 * covers them, so entries that were sealed with a removed secret need only one later entry with a present one. It must
 * have been added while both secrets were present ({@link afterUnsealed}).
 *
 * @param anchor Hash of an entry that must be there.
 */
export function createChainChecker(sealer: AuditSealer, start: SealedStart | undefined, anchor?: string) {
  const faults: ChainFault[] = [];
  const report = (kind: ChainFault['kind'], entry: string | null) => {
    if (faults.length < MAX_FAULTS) faults.push({ kind, entry });
  };
  let isConfirmed = false;
  /** The last chained entry that was added. It comes directly after the next one. */
  let later: StoredEntry | undefined;
  const checkLater = (previousHash: string) => {
    if (later === undefined || hashOfEntry(previousHash, later) === later.hash) return;
    if (hashOfEntry(afterUnsealed(previousHash), later) === later.hash) isConfirmed = false;
    else report('altered', later.id);
  };
  const counts = { entries: 0, adopted: 0, unchained: 0 };
  let lowestId: bigint | undefined;
  let head: string | undefined;
  let unconfirmed: string | undefined;
  let hasAnchor = anchor === undefined || anchor === start?.hash;
  const seal = start === undefined ? undefined : readStartSeal(sealer, start);
  const genuineStart = seal === undefined ? undefined : start;
  if (seal === undefined) report('wrong_start', null);
  else if (!seal.isAccepted) report('not_accepted', null);
  const lastAdopted = genuineStart === undefined ? undefined : BigInt(genuineStart.adopted);
  return {
    add(entry: StoredEntry): void {
      const id = BigInt(entry.id);
      if (lowestId !== undefined && id >= lowestId) report('altered', entry.id);
      lowestId = id;
      counts.entries += 1;
      if (entry.hash === null) {
        counts.unchained += 1;
        report('unchained', entry.id);
        return;
      }
      if (lastAdopted !== undefined && id <= lastAdopted) counts.adopted += 1;
      checkLater(entry.hash);
      later = entry;
      head ??= entry.hash;
      hasAnchor ||= entry.hash === anchor;
      isConfirmed ||= sealer.secretOf('entry', entry.hash, entry.seal) !== undefined;
      if (!isConfirmed) unconfirmed = entry.id;
    },
    end() {
      checkLater(start?.hash ?? '');
      if (!hasAnchor) report('missing', null);
      if (unconfirmed !== undefined) report('unsealed', unconfirmed);
      return { ...counts, faults, head: head ?? headOfStart(start), since: genuineStart?.since ?? null };
    },
  };
}
