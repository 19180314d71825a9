import { endpointPath } from '../contract/endpoint-path.ts';
import type { Credits, Endpoint, Platform } from '../platforms/platform.ts';
import type { Operation, Paths } from './document-types.ts';
import { responsesOf } from './extraction-responses.ts';
import { parametersIn } from './parameters.ts';

/** How callers of the extraction API authenticate: with both headers. */
export const marketplaceSecurity = {
  marketplaceKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Marketplace-Key',
    description:
      'Extraction key of your subscription, from the operator of the service or a marketplace. Keep it on a server: ' +
      'anyone who has it can use it.',
  },
  marketplaceHost: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Marketplace-Host',
    description: 'The API host that the marketplace displays. Without a marketplace: the host of the service.',
  },
};

/** Returns the paths of a platform's endpoints. */
export function platformPaths(platform: Platform): Paths {
  return Object.fromEntries(
    platform.endpoints.map((endpoint) => {
      const path = endpointPath(platform.id, endpoint.path);
      return [path, { get: operation(platform.id, path, endpoint) }];
    }),
  );
}

function operation(platformId: string, path: string, endpoint: Endpoint): Operation {
  return {
    operationId: platformId + camelCase(endpoint.path),
    tags: [platformId],
    summary: endpoint.summary,
    description: describe(endpoint),
    security: [{ marketplaceKey: [], marketplaceHost: [] }],
    parameters: parametersIn('query', endpoint.parameters),
    responses: responsesOf(path, endpoint),
  };
}

function describe({ summary, credits, contents, returns = [], parameters }: Endpoint): string {
  return [
    `${summary}.`,
    price(credits),
    ...(contents ? [] : ['Returns metadata only, without `contents`.']),
    ...(returns.length === 0
      ? []
      : [`A successful response contains ${list(returns.map((path) => `\`metadata.${path}\``))}.`]),
    ...('nextToken' in parameters.properties
      ? ['Paginated: send the `nextToken` of a page to get the next one; it is null on the last page.']
      : []),
  ].join(' ');
}

function price(credits: Credits): string {
  if (typeof credits === 'number') return `Costs ${inCredits(credits)}.`;
  if ('ifSuccessful' in credits) return `Costs ${inCredits(credits.ifSuccessful)}; failed requests are free.`;
  const { usual, relayedOrRendered } = credits;
  return (
    `Costs ${inCredits(usual)}, or ${relayedOrRendered} if \`urlAccess\` is proxied or a render config is ` +
    'returned.'
  );
}

function list(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

function inCredits(number: number): string {
  return `${number} credit${number === 1 ? '' : 's'}`;
}

/** Converts `/channel/id-from-handle` to `ChannelIdFromHandle`. */
function camelCase(path: string): string {
  return path.replace(/[/-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
