/*
 * The tenants of the queue: those who share the workers, the places in the queue and the
 * space for finished files. Each owner of jobs is a tenant. All
 * visitors of the page are one tenant together, so that a hundred visitors weigh as much as one key.
 */

/** The tenant of visitors of the page. No owner has this ID. */
export const visitors = '';

/** The tenant of a job, as SQL. The index of 0031_claim_turns.sql contains the same expression. */
export const tenantOfJob = `case when visitor then '${visitors}' else owner end`;

/** Returns the tenant of the jobs of an owner, or of a visitor of the page. */
export const tenantOf = (owner: string, isVisitor: boolean): string => (isVisitor ? visitors : owner);

/** When a job's turn among the jobs of its tenant begins, as SQL. Part of the same index. */
export const turnOfJob = 'coalesce(turn_at, created_at)';
