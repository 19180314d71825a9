import { useEffect, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';

/** States that the browser has no network, as long as that is so. */
export function OfflineNotice(): View {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return html`
    <p class="offline" role="status">
      ${online ? null : messages().app.offline}
    </p>
  `;
}
