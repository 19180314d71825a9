import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenKeys, openKeys } from '../accounts/keys.ts';
import { openUsage } from '../accounts/usage.ts';
import { openAuditLog } from '../audit/audit-log.ts';
import { type BlockList, openBlockList } from '../blocks/block-list.ts';
import type { AuditEntry } from '../contract/admin-api/audit-entry.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import { parseJob } from '../contract/parse-job.ts';
import { noSubjectReader } from '../contract/subjects.ts';
import { plans } from '../contract/subscription-plans.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { openNodes } from '../nodes/nodes.ts';
import { type OwnNode, openNode } from '../nodes/own-node.ts';
import { openJobs } from '../render/jobs/jobs.ts';
import { createSealer } from '../sealing/sealer.ts';
import { addAdminRoutes } from './routes.ts';

const log = pino({ level: 'silent' });
const sealer = createSealer(['a secret of the tests']);
const token = 'token-of-the-tests';
/** Reads IDs, and no links. */
const subjects = {
  ...noSubjectReader,
  find: (_platform: string, _kind: string, text: string) => (text.includes('/') ? undefined : text.toLowerCase()),
};

let database: TestDatabase;
let keys: OpenKeys;
let blocks: BlockList;
let node: OwnNode;
let app: FastifyInstance;

beforeAll(async () => {
  database = await openTestDatabase();
  keys = await openKeys(database, { hashing: ['hash secret'], signing: ['signing secret'] }, plans, log);
  blocks = await openBlockList(database, subjects, log);
  node = await openNode(database, { host: 'one', roles: ['api'], version: '0.2.0', isOnly: true }, log);
  const auditLog = openAuditLog(['signing secret']);
  await database.query(
    `insert into audit_log (actor, action, target, changes) values ('bob', 'key.update', '1', '{}')`,
  );
  await auditLog.start(database);
  beginning.since = (await auditLog.verify(database)).since ?? '';
  app = Fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof MillraceError)) return reply.code(500).send({ error: { message: String(error) } });
    return reply.code(error.status).send({ error: { code: error.code, message: error.message } });
  });
  addAdminRoutes(app, {
    ...{ database, keys, usage: openUsage(database), plans, nodes: openNodes(database), blocks, subjects, sealer },
    ...{ auditLog, cancelJobsOf: async () => undefined, version: '0.2.0', token },
    backup: async () => new Blob(['backup']).stream() as never,
  });
});
afterAll(async () => {
  await app.close();
  await node.close();
  await blocks.close();
  await keys.close();
  await database.close();
});

async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) {
  const response = await app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}`, 'x-millrace-actor': 'alice' } },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, text: response.body };
}

async function idOfNewKey(): Promise<string> {
  return (await keys.create({ kind: 'extraction', plan: 'PRO' }, { name: 'bob' })).info.id;
}

async function idOfNewJob(): Promise<string> {
  const id = crypto.randomUUID();
  const inputs = [{ url: 'https://cdn.example/a.mp4?sig=a-secret', ext: 'mp4' }];
  const job = parseJob({ id, inputs, output: { ext: 'mp4' }, operation: { type: 'convert_format' } });
  await openJobs(database, sealer, 10).start(job, 'render:1');
  return id;
}

const block = { kind: 'host', value: 'bad.example', reason: 'Malware' };
const blockId = async () => JSON.parse((await send('POST', '/admin/blocks', block)).text).id as string;

/** The operations that change something or hand out secrets. */
type Audited = Exclude<
  keyof typeof adminRoutes,
  `list${string}` | 'verifyAuditLog' | 'getKey' | 'getAnyJob' | 'getUnread' | 'getAdminDocument'
>;

/** Where the audit log begins, which nobody has accepted. */
const beginning = { since: '' };

/** A call of each audited operation: the ID of its object, its body, and the action that the audit log names. */
const calls: Readonly<Record<Audited, { id?: () => Promise<string>; body?: object; action: string }>> = {
  createKey: { body: { plan: 'PRO' }, action: 'key.create' },
  updateKey: { id: idOfNewKey, body: { plan: 'MEGA' }, action: 'key.update' },
  rotateKey: { id: idOfNewKey, body: {}, action: 'key.rotate' },
  revokeKey: { id: idOfNewKey, action: 'key.revoke' },
  drainNode: { id: async () => node.id, body: { reason: 'Upgrade' }, action: 'node.drain' },
  resumeNode: { id: async () => node.id, action: 'node.resume' },
  cancelAnyJob: { id: idOfNewJob, body: { reason: 'Abuse' }, action: 'job.cancel' },
  addBlock: { body: { ...block, value: 'worse.example' }, action: 'block.add' },
  removeBlock: { id: blockId, action: 'block.remove' },
  downloadBackup: { action: 'backup.download' },
  acceptAuditLog: { body: beginning, action: 'audit.accept' },
};

async function newestEntry(): Promise<AuditEntry> {
  return JSON.parse((await send('GET', '/admin/audit?limit=1')).text).entries[0] as AuditEntry;
}

describe('the admin API', () => {
  test.each(Object.entries(calls))('records %s in the audit log, without secrets', async (name, call) => {
    const { method, path } = adminRoutes[name as Audited];
    const id = await call.id?.();
    const response = await send(method, path.replace('{id}', id ?? ''), call.body);
    expect([200, 201]).toContain(response.status);
    const entry = await newestEntry();
    expect(entry).toMatchObject({ actor: 'alice', action: call.action });
    if (id !== undefined) expect(entry.target).toBe(id);
    const { key } = response.text.startsWith('{') ? (JSON.parse(response.text) as { key?: string }) : {};
    if (key !== undefined) expect(JSON.stringify(entry)).not.toContain(key);
    expect(JSON.stringify(entry)).not.toContain('a-secret');
  });

  test('audits every operation but those that only read', () => {
    const reading = Object.entries(adminRoutes).filter(([name]) => !Object.hasOwn(calls, name));
    expect(reading.filter(([, { method }]) => method !== 'GET')).toEqual([]);
  });

  test('replaces the block of a handle that is written in another case', async () => {
    const handle = { kind: 'channel', platform: 'p4', reason: 'x' };
    const first = await send('POST', '/admin/blocks', { ...handle, value: '@Some.One' });
    const second = await send('POST', '/admin/blocks', { ...handle, value: '@some.one', reason: 'y' });
    const [{ id }, block] = [JSON.parse(first.text), JSON.parse(second.text)];
    expect(block).toMatchObject({ id, value: '@some.one', reason: 'y' });
  });

  test('creates a key with its expiry and its spend warning', async () => {
    const members = { expiresAt: '2100-01-01T00:00:00.000Z', spendWarning: 50 };
    const response = await send('POST', '/admin/keys', { plan: 'PRO', ...members });
    expect(JSON.parse(response.text)).toMatchObject({ kind: 'extraction', ...members });
    expect((await newestEntry()).changes).toMatchObject({
      expiresAt: { before: null, after: members.expiresAt },
      spendWarning: { before: null, after: 50 },
    });
  });

  test('has an audit log that no statement changes', async () => {
    for (const statement of ['update audit_log set actor = $1', 'delete from audit_log where actor <> $1'])
      await expect(database.query(statement, ['mallory'])).rejects.toThrow(/append-only/);
  });

  test.each([
    ['GET', '/admin/jobs/%00', undefined, 404],
    ['POST', '/admin/jobs/%00/cancel', { reason: 'x' }, 404],
    ['GET', '/admin/jobs?owner=%00', undefined, 400],
    ['GET', '/admin/jobs?requestId=%00', undefined, 400],
    ['GET', '/admin/jobs?owner=a&owner=b', undefined, 400],
    ['GET', '/admin/jobs?ownr=a', undefined, 400],
    ['GET', '/admin/audit?target=%00', undefined, 400],
    ['POST', '/admin/audit/accept', { since: '2026-01-01T00:00:00.000Z' }, 409],
    ['POST', '/admin/audit/accept', {}, 400],
    ['GET', '/admin/keys/%00', undefined, 404],
    ['DELETE', '/admin/blocks/%00', undefined, 404],
    ['POST', '/admin/nodes/%00/drain', { reason: 'x' }, 404],
    ['POST', '/admin/keys', { plan: 'PRO', name: 'a\0b' }, 400],
    ['POST', '/admin/keys', { plan: 'PRO', name: '\ud800' }, 400],
    ['POST', '/admin/keys', { plan: 'PRO', expiresAt: '2026-01-01T00:00:00Z' }, 400],
    ['POST', '/admin/keys', { plan: 'PRO', spendWarning: 0 }, 400],
    ['POST', '/admin/blocks', { ...block, reason: 'a\ud800' }, 400],
    ['POST', '/admin/blocks', { kind: 'item', platform: 'p1', value: '\ud800', reason: 'x' }, 400],
    ['POST', '/admin/blocks', { ...block, expiresAt: '2027-02-30T00:00:00Z' }, 400],
  ] as const)('refuses %s %s %j', async (method, url, body, status) => {
    const response = await send(method, url, body);
    expect([response.status, response.text]).toEqual([status, expect.any(String)]);
  });

  test.each([{ reason: 'a\0b' }, { name: '\ud800' }, { expiresAt: '2027-02-30T00:00:00Z' }])(
    'refuses the change %j of a key',
    async (change) => {
      const response = await send('PATCH', `/admin/keys/${await idOfNewKey()}`, { plan: 'MEGA', ...change });
      expect([response.status, response.text]).toEqual([400, expect.any(String)]);
    },
  );
});
