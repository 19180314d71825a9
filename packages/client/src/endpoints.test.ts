import { describe, expect, it } from 'vitest';
import { anyCase } from '../../../src/contract/parameters.ts';
import { createPlatforms, defaultSettings } from '../../../src/platforms/index.ts';
import type { EndpointEntry, ParameterType } from './endpoint-entry.ts';
import { endpoints } from './endpoints.ts';
import { createMethods } from './platform-methods.ts';

/** The parts of a parameter's schema that the endpoint table also contains. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: { readonly enum?: readonly string[]; readonly pattern?: string };
  readonly [anyCase]?: boolean;
}

const platforms = createPlatforms(defaultSettings);
const table: Readonly<Record<string, Readonly<Record<string, EndpointEntry>>>> = endpoints;

/** Compares the values of a parameter in the table with the values that the service accepts. */
function expectSame(parameterType: ParameterType | undefined, schema: Schema): void {
  if (schema.items !== undefined) {
    if (typeof parameterType !== 'object' || !('listOf' in parameterType)) throw new Error('it takes several values');
    const { enum: values, pattern } = schema.items;
    if (values !== undefined) expect(parameterType).toEqual({ listOf: values });
    else {
      expect(parameterType).toHaveProperty('extensible', true);
      for (const value of parameterType.listOf) expect(value).toMatch(new RegExp(pattern ?? '^$'));
    }
  } else if (/^\^\[0-9\]\{1,\d+\}\$$/.test(schema.pattern ?? '')) {
    expect(parameterType).toBe('number');
  } else if (schema.enum === undefined || schema[anyCase]) {
    // Language and country codes are texts.
    expect(parameterType).toBe('text');
  } else {
    expect(parameterType).toEqual(schema.enum.join() === 'true,false' ? 'flag' : schema.enum);
  }
}

describe.each(platforms.map((platform) => [platform.id, platform] as const))(
  'the endpoint table of %s',
  (id, platform) => {
    it('lists exactly the endpoints of the service', () => {
      expect(Object.keys(table[id] ?? {}).sort()).toEqual(platform.endpoints.map(({ path }) => path.slice(1)).sort());
    });

    it.each(platform.endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
      '%s has the parameters and values of the service',
      (path, { parameters, returns }) => {
        const entry = table[id]?.[path.slice(1)];
        const names = Object.keys(parameters.properties);
        const required: readonly string[] = parameters.required ?? [];
        expect(Object.keys(entry?.required ?? {}).sort()).toEqual([...required].sort());
        expect(Object.keys(entry?.optional ?? {}).sort()).toEqual(
          names.filter((name) => !required.includes(name)).sort(),
        );
        for (const [name, schema] of Object.entries(parameters.properties)) {
          expectSame(entry?.required[name] ?? entry?.optional[name], schema as Schema);
        }
        expect(entry?.list !== undefined).toBe(names.includes('nextToken'));
        const tokenPath = returns?.find((place) => place.endsWith('.nextToken'));
        if (tokenPath !== undefined) expect(returns).toContain(entry?.list);
      },
    );
  },
);

it('the client has a method for each endpoint', () => {
  const calledPaths: string[] = [];
  const methods = createMethods(async (platform, path) => {
    calledPaths.push(`${platform}/${path}`);
    return { error: null, metadata: {} };
  });
  const call = (node: unknown): void => {
    if (typeof node === 'function') node({});
    if (typeof node === 'object' || typeof node === 'function') Object.values(node ?? {}).forEach(call);
  };
  call(methods);
  const all = Object.entries(table).flatMap(([id, paths]) => Object.keys(paths).map((path) => `${id}/${path}`));
  expect(calledPaths.sort()).toEqual(all.sort());
});
