import type { Exchange } from '../../http/exchange.ts';
import { switches, tokenOf } from './page.ts';
import { collectionOf, type ListPlace, lateCounts, lists, readPlace } from './responses/lists.ts';
import { documentOf } from './scripts.ts';

/**
 * Handles `/api/graphql/` for guests: later pages of a profile's lists, one JSON value per line. Refusals have status
 * 200.
 */
export function answerGraphql({ body, request }: Exchange): string {
  const form = new URLSearchParams(body.toString());
  const variables = parseObject(form.get('variables') ?? '');
  const lsd = form.get('lsd');
  const knowsToken = ['www.facebook.com', 'web.facebook.com'].some((host) => lsd === tokenOf(host));
  if (!knowsToken || request.headers['x-fb-lsd'] !== lsd)
    return unwelcome(1357004, 'Please try closing and re-opening your browser window');
  const place = readPlace(String(variables.id), String(variables.cursor));
  if (place === undefined) return JSON.stringify({ data: { node: null } });
  const { person, list, from } = place;
  const document = form.get('doc_id');
  if (document !== documentOf(list, person.further) || form.get('fb_api_req_friendly_name') !== lists[list].query) {
    return failed({ message: `The GraphQL document with ID ${document} was not found.`, severity: 'CRITICAL' });
  }
  const missing = Object.entries(switches).some(([name, value]) => variables[name] !== value);
  if (missing || typeof variables.count !== 'number' || variables.useDefaultActor !== false) {
    return failed({
      message: 'A server error missing_required_variable_value occured. Check server logs for details.',
    });
  }
  if (person.further === 'login') return unwelcome(1357001, 'Not logged in');
  if (person.further === 'unauthorized') return failed({ message: 'Unauthorized logged out query', severity: 'ERROR' });
  if (person.further === 'limited') return failed({ message: 'Rate limit exceeded', code: 1675004 });
  const first = {
    data: { node: { __typename: 'TimelineAppCollection', ...collectionOf(person, list, from, variables.count) } },
    extensions: { is_final: false },
  };
  return [first, ...late(place)].map((line) => JSON.stringify(line)).join('\n');
}

/** Returns the lines after the first one: the counts of each reel, with the path to that reel within the first line. */
function late({ person, list, from }: ListPlace): unknown[] {
  if (list === 'photos') return [];
  return Array.from({ length: Math.min(10, person.reels - from) }, (_, place) => ({
    label: 'ProfileCometAppCollectionReelsRenderer$defer$FBReelsFeedbackBar_feedback',
    path: ['node', 'aggregated_fb_shorts', 'edges', place, 'profile_reel_node', 'node'],
    data: lateCounts(person, from + place),
    extensions: { is_final: place === 9 },
  }));
}

function unwelcome(error: number, errorSummary: string): string {
  return `for (;;);${JSON.stringify({ __ar: 1, error, errorSummary })}`;
}

function failed(error: unknown): string {
  return JSON.stringify({ errors: [error] });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Variables that are not JSON count as empty.
    return {};
  }
}
