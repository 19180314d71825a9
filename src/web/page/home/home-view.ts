import { html, type View } from '../common/html.ts';
import { Icon, type IconName } from '../common/icon.ts';
import { PlatformList } from '../health/platform-list.ts';
import { messages } from '../language/language.ts';

const features: readonly {
  readonly name: 'complete' | 'collections' | 'shaped' | 'private';
  readonly icon: IconName;
}[] = [
  { name: 'complete', icon: 'shield' },
  { name: 'collections', icon: 'list' },
  { name: 'shaped', icon: 'scissors' },
  { name: 'private', icon: 'check' },
];

/** Shows what the page does, and which sites it reads and how they are. */
export function HomeView(): View {
  const { home } = messages();
  return html`
    <section class="features" aria-labelledby="features-title">
      <h2 id="features-title" class="unseen">${home.featuresTitle}</h2>
      <ul>
        ${features.map(({ name, icon }) => {
          const { title, text } = home.features[name];
          return html`<li key=${name}>
            <${Icon} name=${icon} />
            <h3>${title}</h3>
            <p class="soft">${text}</p>
          </li>`;
        })}
      </ul>
    </section>
    <${PlatformList} />
  `;
}
