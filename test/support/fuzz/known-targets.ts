import { type Contract, type DocumentedOperation, pathOf } from '../contract.ts';
import { extract, outcome, post, type StartedJob } from '../http-client.ts';

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
  return byPath;
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
