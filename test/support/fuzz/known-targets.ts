import { vi } from 'vitest';
import { type Contract, type DocumentedOperation, pathOf } from '../contract.ts';
import { extract, fetchJson, outcome, post, type StartedJob } from '../http-client.ts';
import { keys } from '../processes.ts';

interface Deliveries {
  readonly deliveries: readonly { readonly id: string; readonly state: string }[];
}

const renderHeaders = { authorization: `Bearer ${keys.render}` };

/** Maximum number of targets stored for an operation. */
const MOST_PER_PATH = 4;

/**
 * Collects targets that the service issues: page tokens, relay links, execution URLs, links of a job and its file. They
 * are sealed, so no schema can generate them.
 */
export async function collectTargets(
  origin: string,
  contract: Contract,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byPath = new Map<string, string[]>();
  const remember = (path: string, target: string) => {
    const targets = byPath.get(path) ?? [];
    if (targets.length < MOST_PER_PATH && !targets.includes(target)) byPath.set(path, [...targets, target]);
  };
  const harvest = (body: unknown) => {
    for (const text of textsIn(body)) {
      const target = text.replace(/^ws/, 'http');
      if (!target.startsWith(`${origin}/`)) continue;
      const operation = contract.find('GET', pathOf(target));
      if (operation !== undefined) remember(operation.path, target.slice(origin.length));
    }
  };
  for (const operation of contract.operations.filter(({ path }) => /^\/p\d+\//.test(path))) {
    for (const target of exampleTargets(operation)) {
      const { body } = await extract<unknown>(origin + target);
      harvest(body);
      const token = tokenIn(body);
      if (token !== undefined) remember(operation.path, `${target}&nextToken=${encodeURIComponent(token)}`);
    }
  }
  const started = await post<StartedJob>(`${origin}/api/v1/render/execute`, soundJob('fuzz-first'));
  harvest(started.body);
  harvest(await outcome(started.body.sseStatusUrl));
  harvest((await post<unknown>(`${origin}/api/v1/render/cache`, soundJob('fuzz-stored'))).body);
  for (const { path } of contract.operations)
    if (path.includes('{jobId}')) remember(path, path.replace('{jobId}', 'fuzz-first'));
  for (const target of await startRefusedJobs(origin)) {
    const operation = contract.find('POST', target);
    if (operation !== undefined) byPath.set(operation.path, [target]);
  }
  for (let count = 0; count < MOST_PER_PATH; count += 1) {
    const webhook = { url: refusingReceiver, secret: 'a secret of the account' };
    const { body } = await post<{ id?: string }>(`${origin}/api/v1/webhooks`, webhook);
    if (body.id !== undefined) remember('/api/v1/webhooks/{webhookId}', `/api/v1/webhooks/${body.id}`);
  }
  return byPath;
}

/** A receiver whose response ends a delivery. */
const refusingReceiver = 'https://cdn.lab.example/media/amber-2/sound.m4a?status=410';

/** Starts a job that fails and whose webhook is refused. Returns the targets that retry it and deliver its event again. */
async function startRefusedJobs(origin: string): Promise<readonly string[]> {
  const path = '/api/v1/render/jobs';
  const run = async (id: string) => {
    const job = {
      ...soundJob(id),
      inputs: [{ url: 'https://cdn.lab.example/media/amber-2/movie-360.mp4?status=403', ext: 'mp4' }],
      webhook: { url: refusingReceiver, secret: 'a secret of the webhook' },
    };
    const { body } = await post<StartedJob>(`${origin}/api/v1/render/execute`, job);
    await outcome(body.sseStatusUrl);
  };
  await run('fuzz-failed');
  await run('fuzz-refused');
  const read = () => fetchJson<Deliveries>(`${origin}${path}/fuzz-refused/deliveries`, { headers: renderHeaders });
  await vi.waitUntil(async () => (await read()).body.deliveries[0]?.state === 'given_up', { timeout: 60_000 });
  const { id } = (await read()).body.deliveries[0] ?? {};
  return [`${path}/fuzz-failed/retry`, `${path}/fuzz-refused/deliveries/${id}/redeliver`];
}

/**
 * Returns a target with the required parameters, and further ones with render configs and relay links if the operation
 * has them.
 */
function exampleTargets({ path, parameters }: DocumentedOperation): readonly string[] {
  const pairs = (names: readonly string[]) => {
    const values = parameters.filter(({ name }) => names.includes(name));
    return values.map(({ name, example = '' }) => `${name}=${encodeURIComponent([example].flat().join(','))}`);
  };
  const requiredNames = parameters.filter(({ required: requiredNames }) => requiredNames).map(({ name }) => name);
  const more = ['renderableFormats', 'urlAccess'].filter((name) => parameters.some((each) => each.name === name));
  const targets = [requiredNames, ...(more.length > 0 ? [[...requiredNames, ...more]] : [])];
  return targets.map((names) => `${path}?${pairs(names).join('&')}`);
}

function soundJob(id: string) {
  return {
    id,
    webhook: { url: 'https://hooks.lab.example/none', secret: 'a secret of the webhook' },
    inputs: [{ url: 'https://cdn.lab.example/media/amber-2/movie-360.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function tokenIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('nextToken' in value && typeof value.nextToken === 'string') return value.nextToken;
  return Object.values(value)
    .map(tokenIn)
    .find((token) => token !== undefined);
}
