import { useState } from 'preact/hooks';
import { type AnswerProps, answerTitle } from './answer-props.ts';
import { Choice } from './choice.ts';
import { html, type View } from './html.ts';
import { Listing } from './listing.ts';
import { describeLink } from './names.ts';
import { PersonHead } from './person-head.ts';

const tabs = { 'profile/reels': 'Reels', 'profile/photos': 'Photos' } as const;

/** A profile; where its platform lists what it has, that too. */
export function ProfileView({ question: { link }, answer }: AnswerProps): View {
  const [tab, setTab] = useState<string>('profile/reels');
  const { author = {} } = answer.metadata;
  return html`
    <section aria-labelledby=${answerTitle}>
      <${PersonHead} kind=${describeLink(link)} person=${author} pictures="thumbnails" />
      ${
        link.platform === 'p3'
          ? html`
              <${Choice} label="What to show" options=${tabs} value=${tab} onChoose=${setTab} />
              <${Listing} key=${tab} platform="p3" endpoint=${tab} parameters=${link.parameters} />
            `
          : html`<p>Paste the link of one of its posts to get what is in it.</p>`
      }
    </section>
  `;
}
