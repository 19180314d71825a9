import { createHash } from 'node:crypto';
import type { StatusEvent } from '../http-client.ts';

/**
 * Public address in the links of a fixture. Nothing responds there: tests send requests to the service's own address.
 */
export const fixtureOrigin = 'https://media.example';

/** Host of the webhook receiver of a fixture. It was unreachable when the fixture was made. */
export const receiverHost = 'hooks.example';

/** `SIGNING_SECRETS` of the PostgreSQL fixture; fixtures with an embedded database have generated secrets. */
export const postgresSecret = 'signing secret of the upgrade fixtures';

/** A job whose file was finished. */
export interface FinishedJob {
  /** The last event of its status stream. */
  readonly event: StatusEvent;
  /** SHA-256 of its file, as hex. */
  readonly sha256: string;
}

/** A page of a list whose `nextToken` has not been used yet. */
export interface ListPage {
  /** Path and query of the request, without `nextToken`. */
  readonly request: string;
  readonly nextToken: string;
  /** The IDs on the page that the token leads to. */
  readonly nextIds: readonly string[];
}

/** A key that an operator made. */
export interface FixtureKey {
  readonly id: string;
  readonly key: string;
}

/** Everything that callers and operators of a service possessed when its fixture was made. */
export interface FixtureRecord {
  readonly version: string;
  readonly commit: string;
  /** Milliseconds since 1970 at which the service was killed. */
  readonly at: number;
  readonly keys: {
    readonly extraction: FixtureKey;
    readonly render: FixtureKey;
    /** Replaced by another key, with a grace period of a month. */
    readonly rotated: { readonly id: string; readonly before: string; readonly now: string };
    readonly revoked: FixtureKey;
  };
  /** Usage of `keys.extraction` in the month. */
  readonly usage: { readonly credits: number; readonly requests: number };
  readonly jobs: {
    readonly copied: FinishedJob;
    readonly audio: FinishedJob;
    /** Started by an execution URL. */
    readonly sealed: FinishedJob & { readonly executionUrl: string };
    /** Done, with a webhook that could not be delivered yet. */
    readonly notified: FinishedJob & { readonly deliveryId: string };
    readonly failed: StatusEvent;
    readonly cancelled: StatusEvent;
    /** IDs of unfinished jobs: one was running, the others waited. */
    readonly underWay: string;
    readonly queued: string;
    /** Has a webhook. */
    readonly queuedWithWebhook: string;
  };
  /** Execution URL of a stored description that was not started. */
  readonly stored: { readonly executionUrl: string; readonly jobId: string };
  /** Execution URL of an extraction that was not started. */
  readonly order: { readonly executionUrl: string; readonly jobId: string };
  readonly relayed: { readonly url: string; readonly sha256: string };
  readonly pages: readonly ListPage[];
}

/** Returns the SHA-256 of bytes, as hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the same link at a service's own address. */
export function linkAt(service: string, link: string): string {
  return link.replace(fixtureOrigin, service);
}

/** Returns all values of members called `name` below a JSON value, in order. */
export function membersCalled(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => [
    ...(member === name ? [inner] : []),
    ...membersCalled(name, inner),
  ]);
}

/** Returns the IDs of a page's entries. */
export function idsOn(page: unknown): string[] {
  return membersCalled('id', page).filter((id) => typeof id === 'string');
}
