import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { schemaFaults } from '../contract/schema-faults.ts';
import type { Probe } from '../platforms/probe.ts';

const text = Type.String({ minLength: 1 });

const probeSchema = Type.Object(
  {
    name: text,
    endpoint: text,
    parameters: Type.Record(Type.String(), Type.String()),
    expects: Type.Array(text, { minItems: 1 }),
    pages: Type.Optional(text),
    media: Type.Optional(Type.Boolean()),
    strategies: Type.Optional(Type.Array(text, { minItems: 1 })),
  },
  { additionalProperties: false },
);

const fileSchema = Compile(Type.Record(Type.String(), Type.Array(probeSchema)));

/** Probes by platform ID. */
export type ProbesByPlatform = Readonly<Record<string, readonly Probe[]>>;

/** The file has an invalid probe, or no probe to run. */
export class ProbesError extends Error {
  override readonly name = 'ProbesError';
}

/**
 * Reads a probe file: a JSON object with a list of probes for each platform ID.
 *
 * @throws ProbesError that names every wrong member.
 */
export function readProbeFile(content: string): ProbesByPlatform {
  const value = parseJson(content);
  const faults = schemaFaults(fileSchema, value);
  if (faults.length > 0) {
    const details = faults
      .slice(0, 5)
      .map((fault) => (fault.path === '' ? fault.message : `${fault.path} ${fault.message}`));
    throw new ProbesError(`The probe file is not valid: ${details.join('; ')}.`);
  }
  // Safe: the schema has just been checked.
  return value as ProbesByPlatform;
}

/** Adds probes to others. A probe replaces the one with its name. */
export function mergeProbes(probes: ProbesByPlatform, more: ProbesByPlatform): ProbesByPlatform {
  const platforms = new Set([...Object.keys(probes), ...Object.keys(more)]);
  return Object.fromEntries(
    [...platforms].map((platform) => {
      const byName = new Map(
        [...(probes[platform] ?? []), ...(more[platform] ?? [])].map((probe) => [probe.name, probe]),
      );
      return [platform, [...byName.values()]];
    }),
  );
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new ProbesError(`The probe file is not valid JSON: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}
