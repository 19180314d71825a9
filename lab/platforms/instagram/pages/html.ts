import type { Node } from '../shapes/accounts.ts';
import { release, type Visit } from '../visit.ts';

/** Content of a site page. */
interface Page {
  /** The site's own name for the kind of page, such as `PolarisErrorRoute`. */
  readonly route: string;
  /** The site's name for the kind of page in its measurements, such as `polaris.postPage`. */
  readonly policy?: string;
  /** The name of the page's object, such as `profilePage_787132`. */
  readonly pageId?: string;
  readonly title?: string;
  /** `og:` tags by name. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Query results by query name. */
  readonly data?: Readonly<Record<string, Node>>;
  /** Queries that the page's scripts are about to make. */
  readonly preloaders?: readonly Preloader[];
  /** Further script blocks, unchanged. */
  readonly blocks?: readonly string[];
}

/** Query that a page's scripts are about to make. */
export interface Preloader {
  readonly name: string;
  readonly id: string;
  readonly variables: Node;
}

/** Additional bytes of every page: names of modules and styles. */
const ballast = 200_000;

/** Returns a whole page. Its data is JSON in script blocks, among many unrelated ones. */
export function pageHtml(page: Page, visit: Visit): string {
  const { title = 'Instagram', tags = {}, data = {}, preloaders = [], blocks = [] } = page;
  const responses = Object.entries(data).map(([name, response]) => block(streamNode(name, response)));
  return [
    '<!DOCTYPE html><html class="_9dls" lang="en" dir="ltr"><head><meta charset="utf-8" />',
    `<title>${escapeHtml(title)}</title>`,
    ...Object.entries(tags).map(([name, text]) => `<meta property="og:${name}" content="${escapeHtml(text)}" />`),
    '<script nonce="lab">window.__lab = "xig_polaris_media"; /* {"xig_polaris_media": */</script></head><body>',
    `<script id="__eqmc" type="application/json" nonce="lab">${JSON.stringify(visitNote(visit))}</script>`,
    block(routeNode(page)),
    block(sampling),
    block(defines(visit)),
    ...(preloaders.length === 0 ? [] : [block(expectedNode(preloaders))]),
    block({ require: [['CometResourceScheduler', 'registerHighPriHashes', null, [words(ballast)]]] }),
    ...responses,
    ...blocks,
    block({ require: [['RequireDeferredReference', 'unblock', [], [['xig_polaris_media', 'sd']]]] }),
    '</body></html>',
  ].join('\n');
}

/** Returns a script block with data. */
export function block(value: unknown): string {
  const json = JSON.stringify(value).replaceAll('</', '<\\/');
  return `<script type="application/json" data-content-len="${json.length}" data-sjs>${json}</script>`;
}

/** Escapes a text for HTML as the site does. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The sampling rates of the site's measurements. Every page has this table, which names all kinds of pages. */
const sampling = {
  require: [
    [
      'BanzaiConfig',
      [],
      { '553648129.polaris.postPage': 545, '553648129.polaris.privatePostPage': 2, loginForm: 1 },
      7,
    ],
  ],
};

function routeNode({ route, policy = 'polaris.page', pageId = 'page' }: Page): Node {
  const props = { page_logging: { name: pageId.split('_')[0], params: { page_id: pageId } } };
  const info = { route: { rootView: { props }, tracePolicy: policy, canonicalRouteName: `comet.igweb.${route}` } };
  return { require: [['CometPlatformRootClient', 'init', [], [{ initialRouteInfo: info }]]] };
}

function visitNote({ lsd }: Visit): Node {
  const u = '/ajax/qm/?__a=1&__user=0&__comet_req=7&jazoest=2';
  return { u, e: release.hsi, s: 'XPolarisPostController', w: 0, f: 'lab', l: lsd };
}

function streamNode(name: string, data: Node): Node {
  const loader = `adp_${name}RelayPreloader_6ac20c60bcbe51144882211`;
  const result = { complete: true, result: { data, extensions: { is_final: true } }, sequence_number: 0 };
  const next = ['RelayPrefetchedStreamCache', 'next', [], [loader, { __bbox: result }]];
  return { require: [['ScheduledServerJS', 'handle', null, [{ __bbox: { require: [next] } }]]] };
}

function expectedNode(preloaders: readonly Preloader[]): Node {
  const loaders = preloaders.map(({ name, id, variables }) => ({
    actorID: '0',
    preloaderID: `adp_${name}RelayPreloader_65eb73207964a8163317788`,
    queryID: id,
    variables,
  }));
  return { require: [['CometPlatformRootClient', 'init', [], [{}, loaders, { container_id: 'lab' }]]] };
}

function defines({ csrf, lsd }: Visit): Node {
  const define = [
    ['LSD', [], { token: lsd }, 323],
    ['SiteData', [], { ...release, push_phase: 'C3', pkg_cohort: 'HYP:instagram_web_pkg', comet_env: 7 }, 317],
    ['InstagramSecurityConfig', [], { csrf_token: csrf }, 5890],
  ];
  return { require: [['ScheduledServerJS', 'handle', null, [{ __bbox: { define } }]]] };
}

function words(bytes: number): string[] {
  return Array.from({ length: bytes / 10 }, (_, number) => `l${number.toString(36).padStart(6, '0')}`);
}
