import { type Exchange, sendBytes, sendJson, sendText } from '../../../http/exchange.ts';
import { cookiesOf, openVisit } from '../visit.ts';
import type { PageName } from '../world/scenarios.ts';
import { pageHtml } from './html.ts';

const html = 'text/html; charset="utf-8"';

/** Response of the interface when it turns visitors away. */
export const pleaseWait = {
  message: 'Please wait a few minutes before you try again.',
  require_login: true,
  igweb_rollout: true,
  status: 'fail',
} as const;

/** Response of the interface when it requires a sign-in. */
export const loginRequired = { message: 'login_required', error_title: 'Log in', status: 'fail' } as const;

/** Responds with a site page, and begins a visit. */
export function sendPage(exchange: Exchange, page: Parameters<typeof pageHtml>[0], status = 200, latin1 = false): void {
  const visit = openVisit(exchange);
  const text = pageHtml(page, visit);
  const body = latin1 ? Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1') : Buffer.from(text);
  sendBytes(exchange, status, body, { 'content-type': html, 'set-cookie': cookiesOf(visit) });
}

/** Responds with one of the pages that replace the requested one. */
export function sendWall(exchange: Exchange, name: PageName, kind: 'Post' | 'Profile' | 'Audio'): Promise<void> | void {
  switch (name) {
    case 'shell':
      return sendPage(exchange, { route: `PolarisLoggedOutDesktopWWW${kind}Route` });
    case 'login':
      return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
    case 'gone':
      return sendPage(exchange, { route: 'PolarisErrorRoute', title: 'Page Not Found • Instagram' }, 404);
    case 'error_route':
      return sendPage(exchange, { route: 'PolarisErrorRoute' });
    case 'private':
      return sendPage(exchange, {
        route: `PolarisLoggedOutDesktopWWW${kind}Route`,
        policy: 'polaris.privatePostPage',
      });
    case 'private_media':
      return sendJson(exchange, 403, { message: 'private_media', status: 'fail' });
    case 'login_required':
      return sendJson(exchange, 403, loginRequired);
    case 'wait':
      return sendJson(exchange, 401, pleaseWait);
    case 'feedback':
      return sendJson(exchange, 400, { message: 'feedback_required', spam: true, status: 'fail' });
    case 'broken_json':
      return sendPage(exchange, {
        route: `PolarisLoggedOutDesktopWWW${kind}Route`,
        blocks: ['<script type="application/json" data-sjs>{"xig_polaris_media":{"code":"lab-badjson",,}}</script>'],
      });
    case 'other_post':
      throw new Error('The page of another post is not a wall.');
    case 'login_redirect':
      return redirect(exchange, `/accounts/login/?next=${encodeURIComponent(exchange.url.pathname)}`);
    case 'home_redirect':
      return redirect(exchange, '/');
    case 'challenge':
      return redirect(exchange, '/challenge/?next=%2F');
    case 'inside':
      return redirect(exchange, 'http://169.254.169.254/latest/meta-data/');
    case 'outside':
      return redirect(exchange, 'https://cdn.lab.example/media/amber-2/still-360.jpg');
    case 'loop':
      return redirect(exchange, exchange.url.pathname);
  }
}

/** Redirects to another address. */
export function redirect(exchange: Exchange, location: string): void {
  sendText(exchange, 302, '', { location });
}
