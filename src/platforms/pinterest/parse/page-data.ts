import { dig, type Fields, fields, isFields, parseJson } from '../../../parsing/values.ts';
import { jsonObjectAt } from './embedded-json.ts';
import { mergePartial } from './merge-partial.ts';

/**
 * A pin in a page's data: its merged fields, the fact that it is gone, or undefined (the data is sometimes missing).
 */
type PageData = { readonly pin: Fields } | { readonly gone: true } | undefined;

/** One of the responses about a pin that are embedded in a page. */
interface PinResponse {
  /** The ID of the requested pin. */
  readonly requestedId: unknown;
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
  const responses = (calls.length > 0 ? calls : responseScripts(html)).filter(({ requestedId, root }) =>
    [requestedId, dig(root, 'data', 'entityId')].some((id) => typeof id === 'string' && ids.includes(id)),
  );
  const pins = responses.map(({ root }) => root.data).filter(isFields);
  if (pins.length === 0) pins.push(...stateOfPage(html, ids));
  const [first, ...others] = pins;
  if (first !== undefined) return { pin: others.reduce(mergePartial, first) };
  return responses.some(({ root }) => root.__typename === 'PinNotFound') ? { gone: true } : undefined;
}

function completedRequests(html: string): PinResponse[] {
  return places(html, CALL).flatMap((at) => {
    const start = at + CALL.length;
    const end = html.indexOf('"', start);
    if (end < 0) return [];
    const { variables } = fields(parseJson(decodeUri(html.slice(start, end))));
    return pinResponses(fields(variables).pinId, jsonObjectAt(html, end, endOfScript(html, end)));
  });
}

function responseScripts(html: string): PinResponse[] {
  return places(html, 'data-relay-response="true"').flatMap((at) => {
    const exchange = fields(jsonObjectAt(html, at, endOfScript(html, at)));
    return pinResponses(fields(exchange.variables).pinId, exchange.response);
  });
}

function stateOfPage(html: string, ids: readonly string[]): Fields[] {
  return ['id="__PWS_INITIAL_PROPS__"', 'id="__PWS_DATA__"'].flatMap((mark) => {
    const at = html.indexOf(mark);
    if (at < 0) return [];
    const page = jsonObjectAt(html, at, endOfScript(html, at));
    return [page, dig(page, 'props')].flatMap((holder) =>
      ids.map((id) => dig(holder, 'initialReduxState', 'pins', id)).filter(isFields),
    );
  });
}

/** Returns the responses about pins. The query's name changes with the site (`v3GetPinQuery`, `v3GetPinQueryv2`). */
function pinResponses(requestedId: unknown, response: unknown): PinResponse[] {
  return Object.entries(fields(dig(response, 'data')))
    .filter(([name, root]) => /^v3GetPinQuery/i.test(name) && isFields(root))
    .map(([, root]) => ({ requestedId, root: fields(root) }));
}

function places(html: string, mark: string): number[] {
  const offsets: number[] = [];
  for (
    let at = html.indexOf(mark);
    at >= 0 && offsets.length < MAX_SCRIPTS;
    at = html.indexOf(mark, at + mark.length)
  ) {
    offsets.push(at);
  }
  return offsets;
}

function endOfScript(html: string, from: number): number {
  const end = html.indexOf('</script', from);
  return end < 0 ? html.length : end;
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A broken escape makes the text invalid JSON, so only this response is lost.
    if (error instanceof URIError) return '';
    throw error;
  }
}
