import { textAt } from '#client/read-members.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { Picture } from '../common/picture.ts';
import { platformNames } from '../common/platform-names.ts';
import { momentText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
import { authorOf, titleOf } from '../query/media-facts.ts';
import type { QueryResult } from '../query/query-result.ts';
import { resultHeadingId } from '../query/query-result.ts';
import { currentQuery } from '../query/router.ts';
import { CountryOption } from './country-form.ts';
import { type LiveState, liveStateOf } from './live-state.ts';

/** Shows a stream that cannot be downloaded yet, and when it can. */
export function LiveView({ query, result }: QueryResult): View {
  const live = liveStateOf(result);
  const { live: texts } = messages().problem;
  const author = authorOf(result);
  const watchUrl = webAddress(textAt(result.metadata.additionalData, 'url') ?? query.text);
  const isLive = live?.state === 'live';
  const { title, text } = liveTexts(live);
  return html`
    <article class="media" aria-labelledby=${resultHeadingId}>
      <div class="panel lead">
        <div class="stage">
          <${Picture} src=${result.metadata.thumbnailUrl} shape="wide" />
          <span class=${isLive ? 'badge live' : 'badge'}>${isLive ? texts.badge : texts.upcomingBadge}</span>
        </div>
        <header>
          <p class="kind">${describeLink(query.link)}</p>
          <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${titleOf(result)}</h2>
          ${author === undefined ? null : html`<p class="soft"><bdi>${author.name}</bdi></p>`}
        </header>
        <div class="side choices">
          <div class="notice">
            <h3>${title}</h3>
            <p>${text}</p>
          </div>
          <p class="actions live-actions">
            <button type="button" class="primary" onClick=${() => currentQuery.set({ ...query })}>
              <${Icon} name="retry" /> ${texts.check}
            </button>
            ${
              watchUrl === undefined
                ? null
                : html`<a class="button" href=${watchUrl} rel="noreferrer">${texts.watch(platformNames[query.link.platform])}</a>`
            }
          </p>
          <${CountryOption} query=${query} />
        </div>
      </div>
    </article>
  `;
}

function liveTexts(live: LiveState | undefined): { readonly title: string; readonly text: string } {
  const { live: texts } = messages().problem;
  if (live?.state !== 'upcoming') return texts;
  return live.startsAt === undefined
    ? { title: texts.upcomingUnknown, text: texts.upcomingUnknownText }
    : { title: texts.upcomingTitle(momentText(live.startsAt)), text: texts.upcomingText };
}

/** Returns an address that a browser can open; undefined for other texts. */
function webAddress(text: string): string | undefined {
  return /^https?:\/\//.test(text) ? text : undefined;
}
