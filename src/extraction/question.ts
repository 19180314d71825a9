import { hash } from 'node:crypto';
import type { TObject } from 'typebox';
import { outspoken } from '../contract/parameters.ts';
import type { Endpoint, EndpointParameters, Pages } from '../platforms/platform.ts';
import type { Sealer } from '../sealing/sealing.ts';
import { type Wanted, wantedFields } from './field-filter.ts';
import { openPages } from './page-tokens.ts';

/** What a request asks of a site: all that the site's answer can depend on, and nothing of who asks. */
export interface Question {
  /** Id of the platform, `p1`. */
  readonly platform: string;
  readonly endpoint: Endpoint;
  readonly parameters: EndpointParameters;
  readonly pages: Pages;
  readonly wanted: Wanted;
  /** The same for all questions that one answer serves; tells nothing of what they ask. */
  readonly key: string;
}

/** Parameters that are carried out for each caller when the site's answer is there. */
const presented: readonly string[] = ['fields', 'renderableFormats', 'urlAccess'];

/**
 * Reduces a request to what is asked of the site.
 *
 * @param parameters As `readParameters` has checked them.
 * @throws MillraceError `invalid_token` for a `nextToken` that does not belong to the request.
 */
export function questionOf(
  platform: string,
  endpoint: Endpoint,
  parameters: EndpointParameters,
  sealer: Sealer,
): Question {
  const name = `${platform}${endpoint.path}`;
  const asked = siteParameters(endpoint.parameters, parameters);
  const pages = openPages(sealer, name, { ...asked, nextToken: parameters.nextToken });
  const { optionalParts = [] } = endpoint;
  const wanted = wantedFields(parameters.fields);
  const spared = optionalParts.filter((part) => !wanted(part));
  return {
    platform,
    endpoint,
    parameters: asked,
    pages,
    wanted: (part) => !spared.includes(part),
    key: hash('sha256', JSON.stringify([name, asked, pages.cursor ?? null, spared]), 'base64url'),
  };
}

/** The parameters that a site is asked by, in one spelling: by name, lists in order, none that is only the default. */
function siteParameters({ properties }: TObject, parameters: EndpointParameters): EndpointParameters {
  const asked = Object.entries(parameters).filter(([name, value]) => {
    const schema = properties[name];
    const isDefault = schema !== undefined && 'default' in schema && schema.default === value && !(outspoken in schema);
    return !isDefault && !presented.includes(name) && name !== 'nextToken';
  });
  const sorted = asked.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]));
}
