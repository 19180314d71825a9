import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { addUnread, countKinds, type UnreadKinds } from '../../unread.ts';
import { objectsBehind } from './embedded-json.ts';
import { mergePartial } from './merge-partial.ts';

/**
 * A pin in a page's data: its merged fields, the fact that it is gone, or data that cannot be read. Undefined if the
 * page has no data, which is sometimes missing.
 */
type PageData = { readonly pin: Fields } | { readonly gone: true } | { readonly unread: UnreadKinds } | undefined;

/** A response that is embedded in a page, to a query of the site's own program. */
interface EmbeddedResponse {
  /** The ID of the requested pin, if the query is about one. */
  readonly pinId: unknown;
  /** The results by the name of their query. */
  readonly data: Fields;
}

/** One of the responses about a pin that are embedded in a page. */
interface PinResponse {
  readonly pinId: unknown;
  /** The name of the query, which changes with the site (`v3GetPinQuery`, `v3GetPinQueryv2`). */
  readonly name: string;
  /** `{__typename: "V3GetPin", data}` or `{__typename: "PinNotFound"}`. */
  readonly root: Fields;
}

/** Maximum number of scripts with data that are read. A genuine page has three. */
const MAX_SCRIPTS = 30;

const CALL = '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("';

/**
 * Reads the pin in each of the three formats that pages have used: calls with completed requests (since 2025), JSON
 * scripts of responses (2024), and the page's state (to 2023). Merges several partial responses.
 *
 * @param ids The pin's known IDs. Responses about other pins are ignored.
 */
export function pinInPage(html: string, ids: readonly string[]): PageData {
  const calls = completedRequests(html);
  const responses = calls.length > 0 ? calls : responseScripts(html);
  const isRequested = (id: unknown) => typeof id === 'string' && ids.includes(id);
  const found = responses
    .flatMap(pinResponses)
    .filter(({ pinId, root }) => [pinId, dig(root, 'data', 'entityId')].some(isRequested));
  const pins = found.map(({ root }) => root.data).filter(isFields);
  if (pins.length === 0) pins.push(...stateOfPage(html, ids));
  const [first, ...others] = pins;
  if (first !== undefined) return { pin: others.reduce(mergePartial, first) };
  const unknown = found.filter(({ root }) => root.__typename !== 'PinNotFound');
  if (found.length > 0 && unknown.length === 0) return { gone: true };
  const unread = found.length > 0 ? kindsOf(unknown) : unreadData(html, responses, isRequested);
  return Object.keys(unread).length > 0 ? { unread } : undefined;
}

/** Returns the kinds of data in a page without any known response about the pin. */
function unreadData(
  html: string,
  responses: readonly EmbeddedResponse[],
  isRequested: (id: unknown) => boolean,
): UnreadKinds {
  // A page that ends early may lack its data for that reason.
  if (!/<\/(?:html|body|script)>\s*$/.test(html)) return {};
  if (responses.length === 0) return /<script data-relay-(?:completed|response)/.test(html) ? { relay_script: 1 } : {};
  const aboutThePin = responses.filter(({ pinId }) => isRequested(pinId));
  const anonymous = responses
    .flatMap(pinResponses)
    .filter(({ pinId, root }) => pinId === undefined && isAnonymous(root));
  return addUnread(countKinds(aboutThePin.flatMap(({ data }) => Object.keys(data))), kindsOf(anonymous));
}

function isAnonymous(root: Fields): boolean {
  return root.__typename !== 'PinNotFound' && dig(root, 'data', 'entityId') === undefined;
}

function kindsOf(responses: readonly PinResponse[]): UnreadKinds {
  return countKinds(responses.map(({ name, root }) => text(root.__typename) ?? name));
}

function completedRequests(html: string): EmbeddedResponse[] {
  return objectsBehind(html, CALL, MAX_SCRIPTS, (from) => {
    const end = html.indexOf('"', from);
    return end < 0 ? html.length : end;
  }).flatMap(({ from, start, value }) => {
    const { variables } = fields(parseSiteJson(decodeUri(html.slice(from, start))));
    return embeddedResponse(variables, value);
  });
}

function responseScripts(html: string): EmbeddedResponse[] {
  return objectsBehind(html, 'data-relay-response="true"', MAX_SCRIPTS).flatMap(({ value }) => {
    const { variables, response } = fields(value);
    return embeddedResponse(variables, response);
  });
}

function embeddedResponse(variables: unknown, response: unknown): EmbeddedResponse[] {
  const data = dig(response, 'data');
  return isFields(data) ? [{ pinId: fields(variables).pinId, data }] : [];
}

function stateOfPage(html: string, ids: readonly string[]): Fields[] {
  return ['id="__PWS_INITIAL_PROPS__"', 'id="__PWS_DATA__"'].flatMap((mark) => {
    return objectsBehind(html, mark, 1).flatMap(({ value: page }) =>
      [page, dig(page, 'props')].flatMap((holder) =>
        ids.map((id) => dig(holder, 'initialReduxState', 'pins', id)).filter(isFields),
      ),
    );
  });
}

/** Returns the results about pins, which the name of the query shows, or else their type. */
function pinResponses({ pinId, data }: EmbeddedResponse): PinResponse[] {
  return Object.entries(data).flatMap(([name, root]) => {
    const { __typename: type } = fields(root);
    const isPin = /^v3GetPinQuery/i.test(name) || type === 'V3GetPin' || type === 'PinNotFound';
    return isPin && isFields(root) ? [{ pinId, name, root }] : [];
  });
}

function decodeUri(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    // A broken escape makes the text invalid JSON, so only this response is lost.
    if (error instanceof URIError) return '';
    throw error;
  }
}
