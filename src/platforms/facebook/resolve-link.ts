import { MillraceError } from '../../contract/errors.ts';
import { type Asking, type ReadPage, readAnswer, timeLeft } from './ask-page.ts';
import { type FacebookLink, readLink, recognise } from './links.ts';
import { gone, readRefusal } from './parse/refusal.ts';
import { requestPage } from './requests.ts';

/** What a caller's link means, and the page that a short link led to. */
export interface Resolved {
  readonly link: Exclude<FacebookLink, { kind: 'share' }>;
  readonly page?: ReadPage;
}

/**
 * Reads a caller's link; where a short one leads is asked of the site.
 *
 * @throws MillraceError `invalid_url`, `invalid_platform_url`; what the site refuses a short link with.
 */
export async function resolveLink(text: unknown, asking: Asking): Promise<Resolved> {
  const link = readLink(text);
  if (link.kind !== 'share') return { link };
  const { context, settings, what } = asking;
  const answer = await requestPage(context.source, link.url, settings.userAgent, timeLeft(asking));
  // A wall names the address that it stands before (`/login/?next=…`).
  const led = recognise(answer.url);
  const refusal = readRefusal(answer, what);
  if (refusal !== undefined) {
    if (refusal.kind === 'wall' && led !== null && led.kind !== 'share') return { link: led };
    throw refusal.error;
  }
  const page = readAnswer(answer);
  const canonical = recognise(page.page.canonical ?? '');
  const target = [led, canonical].find((candidate) => candidate != null && candidate.kind !== 'share');
  if (target != null) return { link: target, page };
  if (new URL(answer.url).hostname !== new URL(link.url).hostname && recognise(answer.url) === null) {
    throw new MillraceError('invalid_url', 'The short link leads to nothing that this endpoint reads.', {
      parameter: 'url',
    });
  }
  throw gone(what);
}
