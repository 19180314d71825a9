import { anyCase, generalFormats } from '../../src/contract/parameters.ts';
import type { Endpoint, Platform } from '../../src/platforms/platform.ts';

/** The type of a parameter, as `packages/client/src/endpoint-entry.ts` describes it. */
export type ParameterType =
  | string
  | readonly string[]
  | { readonly listOf: readonly string[]; readonly extensible?: true };

/** A parameter of an endpoint. */
export interface ClientParameter {
  readonly name: string;
  readonly description: string;
  readonly type: ParameterType;
}

/** An endpoint in the client's table. */
export interface ClientEndpoint {
  /** Path below `/<platform>/v3/`. */
  readonly path: string;
  readonly summary: string;
  readonly required: readonly ClientParameter[];
  readonly optional: readonly ClientParameter[];
  readonly list: string | undefined;
}

/** The members of a parameter's schema that the client uses. */
interface ParameterSchema {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: { readonly enum?: readonly string[]; readonly pattern?: string };
  readonly [anyCase]?: boolean;
}

/** Matches the pattern of a parameter that is a whole number. */
const digitsPattern = /^\^\[0-9\]\{1,\d+\}\$$/;

/** Formats that editors suggest for `renderableFormats` if its schema has only a pattern, by platform. */
const proposals: Readonly<Record<string, readonly string[]>> = {
  p1: [
    ...generalFormats,
    ...['144p', '240p', '360p', '480p', '720p', '720p60', '1080p', '1080p60', '1440p', '1440p60', '2160p', '2160p60'],
  ],
  p5: [...generalFormats, '240', '380', '480', '720', '1080'],
};

/** Locations of lists that depend on a parameter, by endpoint. The parameter is in braces. */
const variableLists: Readonly<Record<string, string>> = {
  'channel/videos': 'channel.{contentType}.contents',
  'channel/playlists': 'channel.{contentType}.contents',
};

/**
 * Reads the endpoints of a platform.
 *
 * @throws Error if a parameter or a list needs an entry in this file and has none.
 */
export function readEndpoints({ id, endpoints }: Platform): ClientEndpoint[] {
  return endpoints.map(({ path, summary, parameters, returns = [] }) => {
    const requiredNames = new Set<string>(parameters.required);
    const all = Object.entries(parameters.properties).map(([name, property]) => {
      const schema = property as ParameterSchema;
      return { name, description: schema.description ?? '', type: typeOf(id, name, schema) };
    });
    return {
      path: path.slice(1),
      summary,
      required: all.filter(({ name }) => requiredNames.has(name)),
      optional: all.filter(({ name }) => !requiredNames.has(name)),
      list: 'nextToken' in parameters.properties ? listOf(path.slice(1), returns) : undefined,
    };
  });
}

function typeOf(platform: string, name: string, schema: ParameterSchema): ParameterType {
  const { enum: values, items, pattern = '' } = schema;
  if (items?.enum !== undefined) return { listOf: items.enum };
  if (items !== undefined) {
    const suggestions = name === 'renderableFormats' ? proposalsFor(platform, name, items.pattern) : [];
    return { listOf: suggestions, extensible: true };
  }
  if (digitsPattern.test(pattern)) return 'number';
  // Codes of languages and countries are strings: the service refuses unknown codes with an error that names them.
  if (values === undefined || schema[anyCase]) return 'text';
  return values.join() === 'true,false' ? 'flag' : values;
}

function proposalsFor(platform: string, name: string, pattern = '^$'): readonly string[] {
  const values = proposals[platform] ?? [];
  const invalidValue = values.find((value) => !new RegExp(pattern).test(value));
  if (values.length === 0) throw new Error(`${name} of ${platform} has no suggestions.`);
  if (invalidValue !== undefined) throw new Error(`${name} of ${platform} does not accept ${invalidValue}.`);
  return values;
}

/** Returns the location of the list that has the same parent as the token of the next page. */
function listOf(path: string, returns: NonNullable<Endpoint['returns']>): string {
  const token = returns.find((place) => place.endsWith('.nextToken'));
  const holder = token?.slice(0, token.lastIndexOf('.') + 1);
  const list =
    holder === undefined ? variableLists[path] : returns.find((place) => place !== token && place.startsWith(holder));
  if (list === undefined) throw new Error(`${path} has pages but no list.`);
  return list;
}
