import { useEffect } from 'preact/hooks';
import { logo, wave } from './artwork.ts';
import { Announcer } from './common/announcer.ts';
import { ClosedView, InsecureView } from './common/closed-view.ts';
import { html, type View } from './common/html.ts';
import { PlatformHealth } from './common/platform-health.ts';
import { useStore } from './common/store.ts';
import { ThemeSwitch } from './common/theme.ts';
import { RenderList } from './downloads/render-list.ts';
import { QueryForm } from './query/query-form.ts';
import { currentQuery, navigate } from './query/router.ts';
import { useResult } from './query/use-result.ts';
import { titleOf } from './result/media-facts.ts';
import { ResultView } from './result/result-view.ts';

/** Shows the whole page. */
export function App({ open }: { open: boolean }): View {
  const home = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(undefined);
  };
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <h1><a href="./" onClick=${home}><${Logo} /> Millrace</a></h1>
      <p class="soft">From a link to a finished file.</p>
      <${ThemeSwitch} />
    </header>
    <${Waves} />
    <main id="main" tabindex="-1">
      ${open ? (isSecureContext ? html`<${Workspace} />` : html`<${InsecureView} />`) : html`<${ClosedView} />`}
    </main>
    <footer>
      <${PlatformHealth} />
      <p class="soft small">
        For public media that you have the right to download. <a href="docs">API</a> <a href="about">About</a>
      </p>
    </footer>
    <${Announcer} />
  `;
}

/** Shows the query form, the result and the renders of this browser. */
function Workspace(): View {
  const query = useStore(currentQuery);
  const request = useResult(query);
  useEffect(() => {
    const hasTitle = request.state === 'loaded' && request.result.metadata.title !== undefined;
    const title = hasTitle ? titleOf(request.result) : query?.text;
    document.title = title === undefined ? 'Millrace' : `${title} · Millrace`;
  }, [request, query]);
  // A new object, so that the query runs again.
  const retry = () => currentQuery.set(query === undefined ? undefined : { ...query });
  return html`
    <${QueryForm} />
    <div class="columns">
      <div class="result">
        <${ResultView} request=${request} onRetry=${retry} />
      </div>
      <${RenderList} />
    </div>
  `;
}

/** Draws the waves below the header. */
function Waves(): View {
  return html`
    <svg class="race" aria-hidden="true" width="100%" height="14">
      <pattern id="wave" width="48" height="14" patternUnits="userSpaceOnUse">
        <path d=${wave} />
      </pattern>
      <rect width="100%" height="14" fill="url(#wave)" />
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
