import { type Exchange, sendText } from '../../../http/exchange.ts';
import type { Wall } from '../world/scenarios.ts';
import { pageOf } from './html.ts';

const html = { 'content-type': 'text/html; charset=utf-8' };

/** The check of the site's firewall in the form of 2026: elements whose class attributes contain data. */
const check = [
  '<!DOCTYPE html><html><head><title></title></head><body>Please wait...',
  '<p id="wci" class="_wafchallengeid"></p><p id="cs" class="eyJ2Ijp7ImEiOiJsYWIifSwicyI6ImxhYiJ9"></p>',
  '<p id="rci" class="waforiginalreid"></p><p id="rs" class="lab"></p>',
  '<script id="slardar-config" type="application/json">{"slardarClient":"SlardarWAF"}</script></body></html>',
].join('');

/** The earlier form of the check. */
const olderCheck =
  '<html><body>Please wait...<script>var wci="_wafchallengeid",cs="eyJ2Ijp7fX0";</script></body></html>';

const captcha = `<html><body><div id="captcha-verify-container"></div>${'<!-- verify -->'.repeat(2000)}</body></html>`;

/** Sends a wall instead of the requested page, which `whole` makes. */
export function sendWall(exchange: Exchange, wall: Wall, whole: () => Promise<string>): Promise<void> | void {
  const address = exchange.url.href;
  switch (wall) {
    case 'check':
      return sendText(exchange, 200, check, html);
    case 'check_old':
      return sendText(exchange, 200, olderCheck, html);
    case 'captcha':
      return sendText(exchange, 200, captcha, html);
    case 'shell':
      return sendText(exchange, 200, pageOf('TikTok - Make Your Day', {}), html);
    case 'live':
      return sendText(exchange, 200, pageOf('LIVE', { 'webapp.i18n.params': { a: '1' } }), html);
    case 'renamed': {
      const canonical = address.replace(/\/@[^/]*\/(?:video|photo)\//, '/@thelab/photo/');
      return sendText(exchange, 200, pageOf('TikTok', { 'seo.abtest': { canonical, pageId: '1' } }), html);
    }
    case 'login':
    case 'nudge':
      return sendText(exchange, 302, '', { location: `/login?redirect_url=${encodeURIComponent(address)}&lang=en` });
    case 'forbidden':
      return sendText(exchange, 403, '<html><body>Access Denied</body></html>', html);
    case 'moved':
      return whole().then((text) => sendText(exchange, 200, withNewNames(text), html));
    case 'broken':
      return whole().then((text) => {
        const middle = text.indexOf('"__DEFAULT_SCOPE__"') + 500;
        sendText(exchange, 200, text.slice(0, middle), html);
      });
  }
}

/** Renames the details of a page, which then have the form that they could have after a change of the site. */
function withNewNames(text: string): string {
  return text.replaceAll(/"webapp\.(?:reflow\.)?(video|user)[.-]detail"/g, '"webapp.$1-page"');
}
