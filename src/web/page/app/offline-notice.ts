import { html, type View } from '../common/html.ts';
import { useOnline } from '../common/use-online.ts';
import { messages } from '../language/language.ts';

/** States that the browser has no network, as long as that is so. */
export function OfflineNotice(): View {
  const online = useOnline();
  return html`
    <p class="offline" role="status">
      ${online ? null : messages().app.offline}
    </p>
  `;
}
