import { randomUUID } from 'node:crypto';
import { type AccountWebhook, type CreatedWebhook, maxAccountWebhooks } from '../../contract/account-webhooks.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/is-uuid.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** The webhooks of accounts. Each receives the last status event of every job of its account. */
export interface AccountWebhooks {
  list(owner: string): Promise<readonly AccountWebhook[]>;
  /** @throws MillraceError `conflict` if the account has the maximum number of webhooks. */
  add(owner: string, webhook: Webhook): Promise<CreatedWebhook>;
  /**
   * Deletes a webhook, and gives up its pending events.
   *
   * @throws MillraceError `not_found`
   */
  delete(owner: string, id: string): Promise<AccountWebhook>;
  /** @throws MillraceError `not_found`; `conflict` if it was sealed with a secret that is no longer known. */
  find(owner: string, id: string): Promise<Webhook>;
}

interface WebhookRow {
  readonly id: string;
  readonly target: string;
  readonly created_at: Date;
}

/** Opens the webhooks of a database. Their URLs and secrets are sealed. */
export function openAccountWebhooks(database: Database, sealer: Sealer): AccountWebhooks {
  // Only add() seals the targets, and their webhooks were validated.
  const open = (target: string) => sealer.open('webhook', target) as Webhook | undefined;

  const toWebhook = ({ id, target, created_at: createdAt }: WebhookRow): AccountWebhook => ({
    id,
    url: open(target)?.url ?? null,
    createdAt: createdAt.toISOString(),
  });

  return {
    async list(owner) {
      const rows = await database.query<WebhookRow>(
        'select id, target, created_at from account_webhooks where owner = $1 order by created_at, id',
        [owner],
      );
      return rows.map(toWebhook);
    },

    async add(owner, webhook) {
      return await database.transaction(async (sql) => {
        // Concurrent calls would not see each other's webhooks.
        await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.webhooks, owner]);
        const [row] = await sql.query<WebhookRow>(
          `insert into account_webhooks (id, owner, target) select $1, $2, $3
           where (select count(*) from account_webhooks where owner = $2) < $4 returning id, target, created_at`,
          [randomUUID(), owner, sealer.seal('webhook', webhook), maxAccountWebhooks],
        );
        if (row === undefined) throw tooManyWebhooksError();
        return { ...toWebhook(row), ...webhook };
      });
    },

    async delete(owner, id) {
      return await database.transaction(async (sql) => {
        const [row] = isUuid(id)
          ? await sql.query<WebhookRow>(
              'delete from account_webhooks where id = $1 and owner = $2 returning id, target, created_at',
              [id, owner],
            )
          : [];
        if (row === undefined) throw webhookNotFoundError();
        await sql.query(
          `update render_webhooks set target = null, event = null, due_at = null,
             state = case when state = 'pending' then 'given_up' else state end
           where webhook_id = $1 and owner = $2`,
          [id, owner],
        );
        await sql.query('delete from late_webhooks where webhook_id = $1 and owner = $2', [id, owner]);
        return toWebhook(row);
      });
    },

    async find(owner, id) {
      const [row] = isUuid(id)
        ? await database.query<Pick<WebhookRow, 'target'>>(
            'select target from account_webhooks where id = $1 and owner = $2',
            [id, owner],
          )
        : [];
      if (row === undefined) throw webhookNotFoundError();
      const webhook = open(row.target);
      if (webhook === undefined) throw webhookLostError();
      return webhook;
    },
  };
}

function webhookNotFoundError(): MillraceError {
  return new MillraceError(
    'not_found',
    'The account has no webhook with this ID. GET /api/v1/webhooks lists its webhooks.',
  );
}

function tooManyWebhooksError(): MillraceError {
  const message = `The account has the maximum of ${maxAccountWebhooks} webhooks. Delete one first.`;
  return new MillraceError('conflict', message);
}

function webhookLostError(): MillraceError {
  const message = 'The webhook was encrypted with a secret that the service no longer has. Delete it and add it again.';
  return new MillraceError('conflict', message);
}
