/** Data of a page, by the ID of its script element. */
interface ScriptElement {
  readonly id: string;
  readonly json: unknown;
}

/** Scopes that every page of the site contains in addition to its subject. */
const commonScopes = {
  'webapp.app-context': { language: 'en', region: 'US', appId: 1988, appType: 'm', wid: '7634936567552181780' },
  'webapp.biz-context': { os: 'windows', isMobile: false, domains: { webAppDomain: 'www.tiktok.com' } },
  'webapp.i18n-translation': {
    message: 'Words such as {"itemInfo":{"itemStruct":{"id":"1"}}} and <b>tags</b> stand in texts, too.',
    languageList: [{ value: 'en', alias: 'en', label: 'English' }],
  },
};

const otherPost = {
  id: '7000000000000000001',
  desc: 'Another post',
  video: { playAddr: 'https://v16-webapp-prime.tiktok.com/video/other/' },
};

/** Returns a page: the data of the site's scripts among irrelevant scripts and data, some of it for other posts. */
export function pageOf(title: string, scopes: object, more: readonly ScriptElement[] = []): string {
  const rehydration = { __DEFAULT_SCOPE__: { ...commonScopes, ...scopes, 'webapp.a-b': { a: 1 } } };
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<title>${title}</title>`,
    '<script src="https://sf16-website-login.neutral.ttwstatic.com/obj/framework/loader.js"></script>',
    script('script-manager', { scripts: ['a', 'b'] }),
    '<script type="application/ld+json" id="VideoObject">{"@type":"VideoObject","contentUrl":"//other/"}</script>',
    script('api-domains', { kind: 'ttp', domains: { im: '__UNIVERSAL_DATA_FOR_REHYDRATION__' } }),
    script('SIGI_STATE', { ItemModule: { [otherPost.id]: otherPost }, LiveRoom: {} }),
    '<script>window.__lab = "id=__UNIVERSAL_DATA_FOR_REHYDRATION__";</script></head><body><div id="app">',
    '<div data-e2e="recommend-list-item-container">Another post</div></div>',
    script('__UNIVERSAL_DATA_FOR_REHYDRATION__', rehydration),
    ...more.map(({ id, json }) => script(id, json)),
    script('slardar-config', { slardarClient: 'Slardar', bid: 'tiktok_pns' }),
    '<script async data-chunk="webapp-desktop" src="//sf16.ttwstatic.com/obj/webapp.js"></script></body></html>',
  ].join('\n');
}

/** Additional scopes of pages for phones. */
export const phoneScopes = {
  'numberformatter.config': {},
  'webapp.reflow.global.uiStrategy.common': {},
  'webapp.reflow.global.shareUser': {},
  'webapp.reflow.video.uiStrategy': {},
};

/** Returns JSON in a script element. Characters that could end the element are escaped, as on the site. */
function script(id: string, json: unknown): string {
  const text = JSON.stringify(json).replaceAll('<', '\\u003C').replaceAll('/', '\\u002F');
  return `<script id="${id}" type="application/json">${text}</script>`;
}
