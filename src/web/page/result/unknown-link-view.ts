import { useEffect } from 'preact/hooks';
import type { PlatformId } from '#client/index.ts';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { platformNames } from '../common/platform-names.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { errorHeadingId } from '../problems/error-view.ts';
import { unknownHostIn } from '../query/query.ts';
import { linkExamples } from './link-examples.ts';

/** Explains that the site of a link is not supported, and which links work. */
export function UnknownLinkView({ link }: { link: string }): View {
  const host = unknownHostIn(link) ?? link;
  const own = platformAt(host);
  const { unknownLink: texts } = messages().problem;
  // The keyboard of a phone would cover the text.
  useEffect(() => focusOn(errorHeadingId), [link]);
  return html`
    <section class="problem unknown-link" role="alert" aria-labelledby=${errorHeadingId}>
      <${Icon} name="link" />
      <h2 id=${errorHeadingId} tabindex="-1">${own === undefined ? texts.title : texts.ownTitle(platformNames[own])}</h2>
      <p>${own === undefined ? texts.text(isolate(host)) : texts.ownText}</p>
      <h3>${own === undefined ? texts.sites : texts.example}</h3>
      ${own === undefined ? html`<${SiteList} />` : html`<${Examples} id=${own} />`}
    </section>
  `;
}

/** Lists the sites, each with the common forms of its links. */
function SiteList(): View {
  return html`
    <ul class="sites">
      ${Object.entries(platformNames).map(
        ([id, name]) => html`<li key=${id}><strong>${name}</strong> <${Examples} id=${id} /></li>`,
      )}
    </ul>
  `;
}

function Examples({ id }: { id: PlatformId }): View {
  return html`
    <ul class="examples soft small">${linkExamples[id].map((example) => html`<li key=${example}><code>${example}</code></li>`)}</ul>
  `;
}

/** Returns the platform that a host belongs to, by its name: `m.youtube.com` is YouTube's. */
function platformAt(host: string): PlatformId | undefined {
  const parts = host.toLowerCase().split('.');
  const [id] = Object.entries(platformNames).find(([, name]) => parts.includes(name.toLowerCase())) ?? [];
  // The keys of the table are platform IDs.
  return id as PlatformId | undefined;
}
