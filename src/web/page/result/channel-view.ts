import { useState } from 'preact/hooks';
import { textAt } from '#client/read-members.ts';
import { ButtonGroup } from '../common/button-group.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';
import { PersonHeader } from './person-header.ts';

/** Shows a channel with its videos and playlists. */
export function ChannelView({ query, result }: QueryResult): View {
  const [tab, setTab] = useState<string>('videos');
  const channel = result.metadata.channel ?? {};
  const list = {
    platform: 'p1',
    endpoint: tab === 'playlists' ? 'channel/playlists' : 'channel/videos',
    parameters: { channelId: textAt(channel, 'channelId') ?? '', contentType: tab },
  };
  const { channel: texts, contentType } = messages().list;
  const name = textAt(channel, 'title') ?? describeLink(query.link);
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <${PersonHeader} kind=${describeLink(query.link)} person=${channel} pictures="avatar" />
      <${ButtonGroup} label=${contentType} options=${texts.tabs} value=${tab} onChoose=${setTab} />
      <${PagedList} key=${tab} link=${list} name=${name} />
    </section>
  `;
}
