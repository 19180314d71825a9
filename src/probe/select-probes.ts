import { MillraceError } from '../contract/errors.ts';
import { readParameters } from '../extraction/request/read-parameters.ts';
import type { Platform } from '../platforms/platform.ts';
import type { Probe } from '../platforms/probe.ts';
import { type ProbesByPlatform, ProbesError } from './probe-file.ts';
import { casesOf, type ProbeCase } from './run-probe.ts';

/** Which probes run. */
export interface ProbeSelection {
  /** IDs of platforms; empty for all. */
  readonly platforms: readonly string[];
  /** Names of probes; empty for all. */
  readonly names: readonly string[];
}

/**
 * Returns the selected probes as cases to run.
 *
 * @throws ProbesError for a probe that no endpoint can run, for an unknown platform, or if nothing is selected.
 */
export function selectProbes(
  platforms: readonly Platform[],
  probes: ProbesByPlatform,
  { platforms: ids, names }: ProbeSelection,
): readonly ProbeCase[] {
  const known = platforms.map(({ id }) => id);
  const unknown = [...ids, ...Object.keys(probes)].find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new ProbesError(`The platform ${unknown} does not exist. Platforms: ${known.join(', ')}.`);
  const cases = platforms.flatMap((platform) =>
    (probes[platform.id] ?? [])
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .filter(() => ids.length === 0 || ids.includes(platform.id))
      .flatMap((probe) => casesOfPlatform(platform, probe)),
  );
  if (cases.length > 0) return cases;
  const all = Object.entries(probes).flatMap(([id, list]) => list.map(({ name }) => `${id} ${name}`));
  throw new ProbesError(`No probe matches the selection. Probes: ${all.length === 0 ? 'none' : all.join(', ')}.`);
}

function casesOfPlatform({ id, endpoints }: Platform, probe: Probe): readonly ProbeCase[] {
  const endpoint = endpoints.find(({ path }) => path === probe.endpoint);
  if (endpoint === undefined) {
    const paths = endpoints.map(({ path }) => path).join(', ');
    throw new ProbesError(
      `The probe ${id} ${probe.name} has an unknown endpoint, ${probe.endpoint}. Endpoints: ${paths}.`,
    );
  }
  const unknown = Object.keys(probe.parameters).find((name) => !Object.hasOwn(endpoint.parameters.properties, name));
  if (unknown !== undefined) {
    const parameters = Object.keys(endpoint.parameters.properties).join(', ');
    throw new ProbesError(
      `The probe ${id} ${probe.name} has an unknown parameter, ${unknown}. Parameters of ${probe.endpoint}: ${parameters}.`,
    );
  }
  const strategy = probe.strategies?.find((name) => endpoint.strategies?.includes(name) !== true);
  if (strategy !== undefined) {
    const strategies = endpoint.strategies?.join(', ') ?? 'none';
    throw new ProbesError(
      `The probe ${id} ${probe.name} has an unknown strategy, ${strategy}. Strategies of ${probe.endpoint}: ${strategies}.`,
    );
  }
  try {
    readParameters(endpoint.parameters, probe.parameters);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new ProbesError(`The probe ${id} ${probe.name} cannot run: ${error.message}`, { cause: error });
  }
  return casesOf(id, endpoint, probe);
}
