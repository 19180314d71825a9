import { useEffect, useState } from 'preact/hooks';
import { endpoints } from '#client/endpoints.ts';
import type { RecognisedLink } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { messages } from '../language/language.ts';
import { navigate } from '../query/router.ts';

/** After this time, a request is unusually slow. */
const SLOW_MS = 8_000;
/** Two rows on a wide screen. */
const CARDS = 10;

/** Shows the shape of the coming result. If the platform is slow, it reports that and offers to cancel. */
export function LoadingView({ link }: { link: RecognisedLink }): View {
  const [slow, setSlow] = useState(false);
  const { loading } = messages().problem;
  const site = platformNames[link.platform];
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => {
      setSlow(true);
      announce(loading.slow(site));
    }, SLOW_MS);
    return () => clearTimeout(timer);
  }, [link]);
  return html`
    <div class="coming" aria-busy="true">
      <${Shape} link=${link} />
      ${
        slow
          ? html`
              <div class="slow">
                <p>${loading.slow(site)}</p>
                <button type="button" onClick=${() => navigate(undefined)}>${loading.cancel}</button>
              </div>
            `
          : null
      }
    </div>
  `;
}

function Shape({ link }: { link: RecognisedLink }): View {
  const head = html`
    <p class="loading">${messages().problem.loading.text(platformNames[link.platform])}</p>
    <${Lines} />
  `;
  switch (shapeOf(link)) {
    case 'media':
      return html`
        <div class="media">
          <div class="panel lead">
            <span class="stage skeleton wide"></span>
            <header>${head}</header>
            <div class="side leading">
              <span class="skeleton choice-shape"></span>
              <span class="skeleton choice-shape"></span>
            </div>
          </div>
        </div>
      `;
    case 'person':
      return html`<div class="coming-person"><span class="skeleton round"></span><div>${head}</div></div><${Cards} />`;
    case 'list':
      return html`${head}<${Cards} />`;
  }
}

/** Returns the shape of the result of a link. */
function shapeOf({ platform, endpoint }: RecognisedLink): 'media' | 'person' | 'list' {
  if (/^(?:channel|user|profile)\//.test(endpoint)) return 'person';
  const table: Readonly<Record<string, object>> = endpoints[platform];
  return 'list' in (table[endpoint] ?? {}) ? 'list' : 'media';
}

function Lines(): View {
  return html`<div class="coming-lines"><span class="skeleton"></span><span class="skeleton"></span><span class="skeleton"></span></div>`;
}

function Cards(): View {
  return html`
    <div class="grid">
      ${Array.from({ length: CARDS }, (_, index) => html`<div key=${index}><span class="skeleton wide"></span><${Lines} /></div>`)}
    </div>
  `;
}
