import { dig, type Fields, fields, isFields, parseJson } from '../../../parsing/values.ts';
import { jsonObjectAt } from './embedded-json.ts';
import { mergePartial } from './merge-partial.ts';

/** A pin in a page's data: its merged fields, that it is gone, or nothing (the data are missing at times). */
type PageData = { readonly pin: Fields } | { readonly gone: true } | undefined;

/** One response about a pin among those that a page is filled with. */
interface PinResponse {
  /** The number of the requested pin. */
  readonly requestedId: unknown;
  /** `{__typename: "V3GetPin", data}` or `{__typename: "PinNotFound"}`. */
  readonly root: Fields;
}

/** A page has three such scripts; many more come from no honest page. */
const MAX_SCRIPTS = 30;

const CALL = '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("';

/**
 * Reads the pin out of a page, in each of the three ways in which pages have carried it: calls that hand over completed
 * requests (since 2025), JSON scripts of responses (2024), and the state of the page (to 2023). Several partial responses
 * are merged.
 *
 * @param ids The numbers that the pin is known by; responses about other pins are ignored.
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

/** The query's name changes with the site (`v3GetPinQuery`, `v3GetPinQueryv2`). */
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
    // A broken escape makes the text invalid JSON, which costs this one response.
    if (error instanceof URIError) return '';
    throw error;
  }
}
