import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { serviceHealth } from './health.ts';
import { usePlatformStatus } from './platform-status.ts';

/** Shows the state of the service in one word, which leads to the health of each platform. */
export function ServiceState(): View {
  const health = serviceHealth(usePlatformStatus());
  const { health: texts } = messages();
  return html`
    <a class="service-state" href="#platforms" data-health=${health}>
      <span class="unseen">${texts.service} </span>${texts.state[health]}
    </a>
  `;
}
