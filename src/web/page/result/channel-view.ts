import { useState } from 'preact/hooks';
import { ButtonGroup } from '../common/button-group.ts';
import { html, type View } from '../common/html.ts';
import { textAt } from '../common/read-members.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';
import { PersonHeader } from './person-header.ts';

const tabs = { videos: 'Videos', shorts: 'Shorts', livestreams: 'Live', playlists: 'Playlists' } as const;

/** Shows a channel with its videos and playlists. */
export function ChannelView({ result }: QueryResult): View {
  const [tab, setTab] = useState<string>('videos');
  const channel = result.metadata.channel ?? {};
  const parameters = { channelId: textAt(channel, 'channelId') ?? '', contentType: tab };
  const endpoint = tab === 'playlists' ? 'channel/playlists' : 'channel/videos';
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <${PersonHeader} kind="YouTube channel" person=${channel} pictures="avatar" />
      <${ButtonGroup} label="Content type" options=${tabs} value=${tab} onChoose=${setTab} />
      <${PagedList} key=${tab} platform="p1" endpoint=${endpoint} parameters=${parameters} />
    </section>
  `;
}
