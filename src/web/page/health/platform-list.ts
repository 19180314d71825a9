import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { messages } from '../language/language.ts';
import { healthOf } from './health.ts';
import { usePlatformStatus } from './platform-status.ts';

/** Shows the current health of each platform. */
export function PlatformList(): View {
  const platforms = usePlatformStatus();
  const { health: texts } = messages();
  return html`
    <section class="platforms" id="platforms" aria-labelledby="platforms-title">
      <h2 id="platforms-title">${texts.title}</h2>
      <ul>
        ${Object.entries(platformNames).map(([id, name]) => {
          const status = platforms?.get(id);
          const health = healthOf(status);
          return html`<li key=${id} data-health=${health}>
            <span class="name">${name}</span> <span class="soft small">${status?.note ?? texts.platform[health]}</span>
          </li>`;
        })}
      </ul>
    </section>
  `;
}
