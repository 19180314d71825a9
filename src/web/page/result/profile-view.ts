import { useState } from 'preact/hooks';
import { describeLink } from '#client/link-text.ts';
import { ButtonGroup } from '../common/button-group.ts';
import { html, type View } from '../common/html.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';
import { PersonHeader } from './person-header.ts';

const tabs = { 'profile/reels': 'Reels', 'profile/photos': 'Photos' } as const;

/** Shows a profile, with its reels and photos if the platform lists them. */
export function ProfileView({ query: { link }, result }: QueryResult): View {
  const [tab, setTab] = useState<string>('profile/reels');
  const { author = {} } = result.metadata;
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <${PersonHeader} kind=${describeLink(link)} person=${author} pictures="thumbnails" />
      ${
        link.platform === 'p3'
          ? html`
              <${ButtonGroup} label="Content type" options=${tabs} value=${tab} onChoose=${setTab} />
              <${PagedList} key=${tab} platform="p3" endpoint=${tab} parameters=${link.parameters} />
            `
          : html`<p>Paste a link to one of its posts to get the media in it.</p>`
      }
    </section>
  `;
}
