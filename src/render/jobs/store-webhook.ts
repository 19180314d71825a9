import type { Webhook } from '../../contract/webhook.ts';
import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** Stores the webhook of a job, in the transaction that starts it. `over`: the job failed immediately. */
export async function storeWebhook(
  sql: Sql,
  sealer: Sealer,
  job: { readonly id: string; readonly owner: string; readonly webhook: Webhook; readonly failedAtOnce: boolean },
): Promise<void> {
  await sql.query(
    `insert into render_webhooks (job_id, owner, target, state, due_at, ended_at)
     select $1, $2, $3, case when $4 then 'pending' else 'waiting' end, over, over
     from (select case when $4 then now() end as over) as ends`,
    [job.id, job.owner, sealer.seal('webhook', job.webhook), job.failedAtOnce],
  );
}
