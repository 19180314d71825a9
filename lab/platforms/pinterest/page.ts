import { createHash } from 'node:crypto';
import { headOf, snippetsOf } from './head.ts';
import type { Pin } from './pins.ts';
import { notFoundRoot, type RelayResponse, relayResponses } from './relay.ts';
import { restPin } from './rest.ts';
import type { Json } from './rest-items.ts';
import type { Generation } from './scenarios.ts';

/** Parts that a page may lack. */
export interface PageParts {
  /** Whether the page contains the data of the pin. */
  readonly data: boolean;
  /** Whether the head of the page describes the pin. */
  readonly head: boolean;
}

/** Returns the page of a pin. `neighbour` is another pin, whose data is also in the page. */
export function pageOf(pin: Pin, neighbour: Pin, { data, head }: PageParts): string {
  const { generation } = pin;
  const scripts = data ? dataScripts(pin, neighbour) : '';
  const state =
    generation === '2023' && data ? { [neighbour.id]: restPin(neighbour, true), [pin.id]: restPin(pin, true) } : {};
  return document(head ? headOf(pin) : '', generation, state, scripts + (head ? snippetsOf(pin) : ''));
}

/** Returns the page for a pin that does not exist; its status is 200. */
export function notFoundPage(id: string): string {
  const response = { name: 'CloseupPageQuery', variables: { isAuth: false, pinId: id }, root: notFoundRoot } as const;
  return document(
    '',
    '2026',
    {},
    script(response, '2026') + script({ ...response, name: 'CloseupDetailQuery' }, '2026'),
  );
}

/** Returns a site page without a pin. */
export function otherPage(title: string): string {
  return document('', '2026', {}, `<h1>${title}</h1>`);
}

function document(head: string, generation: Generation, pins: Json, body: string): string {
  const older = generation === '2023';
  const state = { initialReduxState: { users: {}, boards: {}, pins } };
  const props = older
    ? { props: state }
    : { context: { country: 'US', browser_name: 'Chrome' }, appVersion: '0334eb9' };
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/>',
    '<meta content="Pinterest" name="application-name"/><meta content="Pinterest" property="og:site_name"/>',
    head,
    '<title>Pinterest</title>',
    '<script nonce="lab">window.__EARLY_HYDRATION_GROUP__="enabled_preload_high";var s="{\\"";</script>',
    '<script async="" crossorigin="anonymous" src="https://s.pinimg.com/webapp/runtime-lab.mjs"></script></head><body>',
    '<script nonce="lab">(function(){window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__=function(t,n){}})()</script>',
    `<script id="__PWS_DATA__" type="application/json">${JSON.stringify(props)}</script>`,
    // The table of the site's scripts is by far the largest part of its pages.
    `<script id="__PWS_ROUTES__" type="application/json">${JSON.stringify(routes)}</script>`,
    ...(older ? [] : [`<script id="__PWS_INITIAL_PROPS__" type="application/json">${JSON.stringify(state)}</script>`]),
    body,
    '<script nonce="lab">$RC("B:2","S:2")</script></body></html>',
  ].join('\n');
}

const routes = Object.fromEntries(
  Array.from({ length: 300 }, (_, number) => [
    `www/lab/page-${number}.js`,
    { dependencies: [1, 2, 3].map((part) => `https://s.pinimg.com/webapp/${number}${part}-0f83f.mjs`) },
  ]),
);

/**
 * Returns the pin's responses among unrelated ones: a response of the related feed, and a response for the neighbour.
 */
function dataScripts(pin: Pin, neighbour: Pin): string {
  const { generation } = pin;
  if (generation === '2023') return '';
  const [first, ...others] = relayResponses(pin);
  const beside = relayResponses(neighbour).slice(0, 1);
  const all = [...(first === undefined ? [] : [first]), ...beside, ...others];
  const relatedPins = { id: pin.id, name: 'UnauthCloseupRelatedPinsFeedQuery', data: restPin(neighbour, false) };
  return `${feedScript(relatedPins, generation)}${all.map((response) => script(response, generation)).join('\n')}`;
}

function script({ name, variables, root }: RelayResponse, generation: Generation): string {
  const query = generation === '2026' ? 'v3GetPinQueryv2' : 'v3GetPinQuery';
  return carrier(name, variables, { data: { [query]: root } }, generation);
}

function feedScript({ id, name, data }: { id: string; name: string; data: Json }, generation: Generation): string {
  const feed = {
    data: { v3RelatedPinsForPinSeoQuery: { __typename: 'V3RelatedPins', data: { edges: [{ node: data }] } } },
  };
  return carrier(name, { pinId: id, count: 1 }, feed, generation);
}

/** Returns a script that contains a response, in the form that pages of its generation use. */
function carrier(name: string, variables: Json, body: Json, generation: Generation): string {
  const queryID = createHash('sha256').update(name).digest('hex');
  if (generation === '2024') {
    const whole = {
      requestParameters: { id: queryID, metadata: {}, name, operationKind: 'query', text: null },
      variables,
      response: body,
    };
    return `<script data-relay-response="true" type="application/json">${JSON.stringify(whole)}</script>`;
  }
  const scriptParameters = encodeURIComponent(JSON.stringify({ queryID, variables }));
  const extensions = generation === '2026' ? { extensions: { is_final: true } } : {};
  const call = `window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("${scriptParameters}", ${JSON.stringify({ ...body, ...extensions })});`;
  return (
    `<script data-relay-pending-request="true">window.__PWS_RELAY_REGISTER_PENDING_REQUEST__("${scriptParameters}");</script>` +
    `<script data-relay-completed-request="true" nonce="lab" type="text/javascript">${call}</script>`
  );
}
