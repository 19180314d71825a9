import type { Person } from './world/people.ts';

/** Result of the data layer within a page. */
export interface QueryResult {
  readonly operation: string;
  readonly data: unknown;
  /** Set for a deferred part, which belongs at the position `path` of the main result. */
  readonly label?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Parts of a site page. */
export interface PageParts {
  /** Requested host; pages name it in all their links. */
  readonly host: string;
  /** Address without the host. */
  readonly path: string;
  readonly title: string;
  /** `og:` and `al:` properties. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly results: readonly QueryResult[];
  /** Profile of the page. */
  readonly person?: Person;
  /** Component that displays the page. */
  readonly root?: string;
  /** Scripts that the page runs. */
  readonly scripts?: readonly string[];
  /** Text of a separate script, which may be invalid JSON. */
  readonly raw?: string;
}

/** Variables with the feature switches of the site; every request that a page makes contains all of them. */
export const switches: Readonly<Record<string, boolean>> = {
  __relay_internal__pv__CometUFIReactionsEnableShortNamerelayprovider: false,
  __relay_internal__pv__FBReels_deprecate_short_form_video_context_gkrelayprovider: false,
  __relay_internal__pv__FBReelsMediaFooter_comet_enable_reels_ads_gkrelayprovider: true,
  __relay_internal__pv__FBUnifiedVideoMenu_show_download_gkrelayprovider: false,
};

/** Returns the token that a page's requests contain. */
export function tokenOf(host: string): string {
  return `AdLab-${host.split('.')[0]}_f8o`;
}

/** Returns a site page for guests: the data is in script blocks, among unrelated ones. */
export function sitePage({
  host,
  path,
  title,
  properties = {},
  results: responses,
  person,
  root = 'LabRoot.react',
  scripts = [],
  raw = '',
}: PageParts): string {
  const address = `https://${host}${path}`;
  const all = { 'og:type': 'video.other', 'og:title': title, 'og:url': address, 'og:locale': 'en_US', ...properties };
  const names = [...new Set(responses.map(({ operation }) => operation))];
  return [
    '<!DOCTYPE html><html id="facebook" class="_9dls __fb-light-mode" lang="en" dir="ltr"><head>',
    '<meta name="bingbot" content="noarchive" />',
    ...Object.entries(all).map(([name, text]) => `<meta property="${name}" content="${escapeText(text)}" />`),
    `<link rel="canonical" href="${escapeText(address)}" /><title>${escapeText(title)}</title>`,
    ...scripts.map((link) => `<script src="${link}" data-bootloader-hash="1DFRiCY" async="1" data-p=":1"></script>`),
    '</head><body>',
    '<script>requireLazy(["bootstrapWebSession"],function(j){j(1785188122)})</script>',
    block(['qplTimingsServerJS', null, null, ['7667784512534121961', 'htmlStart']]),
    block([
      'ServerJS',
      'handle',
      null,
      [
        {
          define: [
            ['LSD', [], { token: tokenOf(host) }, 323],
            ['ServerNonce', [], { ServerNonce: 'x' }, 141],
          ],
        },
      ],
    ]),
    block([
      'Bootloader',
      'handlePayload',
      null,
      [{ rsrcMap: { e0hNGgp: { type: 'js', src: 'https://static.xx.fbcdn.net/rsrc.php/v4/yz/r/late.js', c: 1 } } }],
    ]),
    // Every page can display the site's error page, so its component is no sign of an error.
    block(['Bootloader', 'markComponentsAsImmediate', [], [['CometErrorRoot.react', 'CometLoggedOutPopup.react']]]),
    block(['CometPlatformRootClient', 'init', [], [routeOf(root, person, names)]]),
    streamBlock({
      operation: 'useCometLogInFormQuery',
      data: { login_data: { lsd: { name: 'lsd', value: tokenOf(host) } } },
    }),
    ...responses.map(streamBlock),
    raw === '' ? '' : `<script type="application/json" data-content-len="1" data-sjs>${raw}</script>`,
    block(['qplTimingsServerJS', null, null, ['7667784512534121961', 'htmlEnd']]),
    '</body></html>',
  ].join('\n');
}

function routeOf(root: string, person: Person | undefined, names: readonly string[]): unknown {
  const own =
    person === undefined
      ? {}
      : person.kind === 'classic'
        ? { pageID: person.id }
        : { userID: person.id, userVanity: person.vanity };
  return {
    initialRouteInfo: {
      route: {
        actorID: '0',
        rootView: { allResources: [{ __dr: root }], resource: { __dr: root }, props: { ...own, viewerID: '0' } },
        canonicalRouteName: 'comet.fbweb.Lab',
      },
    },
    expectedPreloaders: names.map((name, place) => ({
      preloaderID: `adp_${name}RelayPreloader_6a69${place}`,
      queryID: `2764930939471${1000 + place}`,
      variables: { scale: 2, ...switches },
      queryName: name,
    })),
  };
}

/** Returns a result as it is streamed into a page. */
function streamBlock({ operation, data, label, path, extensions = {} }: QueryResult): string {
  const result = {
    ...(label === undefined ? {} : { label, path }),
    data,
    extensions: { ...extensions, is_final: true },
  };
  const entry = [
    `adp_${operation}RelayPreloader_6a69715a0a40e2f55088967`,
    { __bbox: { complete: true, result, sequence_number: 0 } },
  ];
  return block([
    'ScheduledServerJS',
    'handle',
    null,
    [{ __bbox: { require: [['RelayPrefetchedStreamCache', 'next', [], entry]] } }],
  ]);
}

function block(call: unknown): string {
  // The site escapes its JSON in the same way, so that no tag begins inside a block.
  const json = JSON.stringify({ require: [call] }).replaceAll('<', '\\u003C');
  return `<script type="application/json" data-content-len="${json.length}" data-sjs>${json}</script>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('·', '&#xb7;');
}
