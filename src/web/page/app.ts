import { OfflineNotice } from './app/offline-notice.ts';
import { logo, waves } from './artwork.ts';
import { QueueSlot } from './collection/queue-slot.ts';
import { queueProgress, withQueueProgress } from './collection/queue-title.ts';
import { Announcer } from './common/announcer.ts';
import { html, type View } from './common/html.ts';
import { useStore } from './common/store.ts';
import { RenderList } from './downloads/render-list.ts';
import { useTabTitle } from './downloads/tab-title.ts';
import { PlatformList } from './health/platform-list.ts';
import { ServiceState } from './health/service-state.ts';
import { Hero } from './home/hero.ts';
import { HomeView } from './home/home-view.ts';
import { isolate } from './language/isolate.ts';
import { messages, useLanguage } from './language/language.ts';
import { lazy } from './loading/lazy.ts';
import { ClosedView, InsecureView } from './problems/closed-view.ts';
import { titleOf } from './query/media-facts.ts';
import { currentQuery, navigate, unknownLink } from './query/router.ts';
import { useResult } from './query/use-result.ts';
import { ResultView } from './result/result-view.ts';
import { UnknownLinkView } from './result/unknown-link-view.ts';
import { LanguageSelect } from './settings/language-select.ts';
import { ThemeSwitch } from './settings/theme.ts';

const LinksView = lazy(async () => (await import('./result/links-view.ts')).LinksView);

/** Shows the whole page. */
export function App({ open }: { open: boolean }): View {
  useLanguage();
  const home = useStore(currentQuery) === undefined && useStore(unknownLink) === undefined;
  const usable = open && isSecureContext;
  const { app } = messages();
  return html`
    <a class="skip" href="#main">${app.skip}</a>
    <div class="band" data-home=${usable && home}>
      <${Header} />
      ${usable ? html`<${Hero} home=${home} />` : null}
      <${Waves} />
    </div>
    <main id="main" tabindex="-1">
      <${OfflineNotice} />
      ${usable ? html`<${Workspace} />` : open ? html`<${InsecureView} />` : html`<${ClosedView} />`}
      ${usable ? null : html`<${PlatformList} />`}
    </main>
    <footer>
      <p class="soft small">${app.rights}</p>
      <p class="small links"><a href="docs">${app.api}</a> <a href="about">${app.about}</a></p>
    </footer>
    <${Announcer} />
  `;
}

function Header(): View {
  const home = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(undefined);
  };
  return html`
    <header class="top">
      <h1><a href="./" onClick=${home}><${Logo} /> Millrace</a></h1>
      <${ServiceState} />
      <${LanguageSelect} />
      <${ThemeSwitch} />
    </header>
  `;
}

/** Shows the result and the renders of this browser; without a query, what the page is for. */
function Workspace(): View {
  const query = useStore(currentQuery);
  const unknown = useStore(unknownLink);
  // Each of several links has its own request.
  const request = useResult(query?.links === undefined ? query : undefined);
  const hasTitle = request.state === 'loaded' && request.result.metadata.title !== undefined;
  const text = query?.links === undefined ? (query?.text ?? unknown) : messages().list.links(query.links.length);
  const title = hasTitle ? titleOf(request.result) : text;
  const progress = useStore(queueProgress);
  useTabTitle(withQueueProgress(title === undefined ? 'Millrace' : `${isolate(title)} · Millrace`, progress));
  // A new object, so that the query runs again.
  const retry = () => currentQuery.set(query === undefined ? undefined : { ...query });
  const resultView = () => {
    if (unknown !== undefined) return html`<${UnknownLinkView} link=${unknown} />`;
    if (query?.links !== undefined) return html`<${LinksView} key=${query.text} query=${query} />`;
    return html`<${ResultView} request=${request} onRetry=${retry} />`;
  };
  return html`
    <${QueueSlot} />
    <div class="columns">
      <div class="result">${resultView()}</div>
      <${RenderList} />
    </div>
    ${query === undefined && unknown === undefined ? html`<${HomeView} />` : null}
  `;
}

/** Draws the surface of the water, where the band ends. */
function Waves(): View {
  return html`
    <svg class="waves" aria-hidden="true" viewBox="0 0 1440 60" preserveAspectRatio="none">
      ${waves.map((path) => html`<path d=${path} />`)}
    </svg>
  `;
}

/** Draws the logo: a wheel in a stream. */
function Logo(): View {
  return html`
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="13" r="8.5" />
      <path d=${logo.spokes} />
      <path class="stream" d=${logo.stream} />
    </svg>
  `;
}
