import { useState } from 'preact/hooks';
import { type AnswerProps, answerTitle } from './answer-props.ts';
import { Choice } from './choice.ts';
import { textAt } from './fields.ts';
import { html, type View } from './html.ts';
import { Listing } from './listing.ts';
import { PersonHead } from './person-head.ts';

const tabs = { videos: 'Videos', shorts: 'Shorts', livestreams: 'Live', playlists: 'Playlists' } as const;

/** A channel, and what it has. */
export function ChannelView({ answer }: AnswerProps): View {
  const [tab, setTab] = useState<string>('videos');
  const channel = answer.metadata.channel ?? {};
  const parameters = { channelId: textAt(channel, 'channelId') ?? '', contentType: tab };
  const endpoint = tab === 'playlists' ? 'channel/playlists' : 'channel/videos';
  return html`
    <section aria-labelledby=${answerTitle}>
      <${PersonHead} kind="YouTube channel" person=${channel} pictures="avatar" />
      <${Choice} label="What to show" options=${tabs} value=${tab} onChoose=${setTab} />
      <${Listing} key=${tab} platform="p1" endpoint=${endpoint} parameters=${parameters} />
    </section>
  `;
}
