import { dig, type Fields, fields, isFields, parseJson } from '../../../parsing/values.ts';
import { jsonObjectAt } from './embedded-json.ts';
import { mergePartial } from './merge.ts';

/** What a page's data say of a pin: its merged fields, that there is none, or nothing (they are left out at times). */
export type PageData = { readonly pin: Fields } | { readonly gone: true } | undefined;

/** One answer about a pin among those that a page is filled with. */
interface PinAnswer {
  /** The number that was asked for. */
  readonly query: unknown;
  /** `{__typename: "V3GetPin", data}` or `{__typename: "PinNotFound"}`. */
  readonly root: Fields;
}

/** A page has three such scripts; many more come from no honest page. */
const MAX_SCRIPTS = 30;

const CALL = '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("';

/**
 * Reads the pin out of a page, in each of the three ways in which pages have carried it: calls that hand over completed
 * requests (since 2025), JSON scripts of responses (2024), and the state of the page (to 2023). Several partial answers
 * are merged.
 *
 * @param ids The numbers that the pin is known by; answers about other pins are passed over.
 */
export function pinInPage(html: string, ids: readonly string[]): PageData {
  const calls = completedRequests(html);
  const answers = (calls.length > 0 ? calls : responseScripts(html)).filter(({ query, root }) =>
    [query, dig(root, 'data', 'entityId')].some((id) => typeof id === 'string' && ids.includes(id)),
  );
  const pins = answers.map(({ root }) => root.data).filter(isFields);
  if (pins.length === 0) pins.push(...stateOfPage(html, ids));
  const [first, ...others] = pins;
  if (first !== undefined) return { pin: others.reduce(mergePartial, first) };
  return answers.some(({ root }) => root.__typename === 'PinNotFound') ? { gone: true } : undefined;
}

function completedRequests(html: string): PinAnswer[] {
  return places(html, CALL).flatMap((at) => {
    const start = at + CALL.length;
    const end = html.indexOf('"', start);
    if (end < 0) return [];
    const { variables } = fields(parseJson(decoded(html.slice(start, end))));
    return pinAnswer(fields(variables).pinId, jsonObjectAt(html, end, endOfScript(html, end)));
  });
}

function responseScripts(html: string): PinAnswer[] {
  return places(html, 'data-relay-response="true"').flatMap((at) => {
    const answer = fields(jsonObjectAt(html, at, endOfScript(html, at)));
    return pinAnswer(fields(answer.variables).pinId, answer.response);
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
function pinAnswer(query: unknown, response: unknown): PinAnswer[] {
  return Object.entries(fields(dig(response, 'data')))
    .filter(([name, root]) => /^v3GetPinQuery/i.test(name) && isFields(root))
    .map(([, root]) => ({ query, root: fields(root) }));
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A broken escape makes the text no JSON, which costs this one answer.
    if (error instanceof URIError) return '';
    throw error;
  }
}
