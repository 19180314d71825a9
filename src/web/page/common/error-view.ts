import { useEffect, useState } from 'preact/hooks';
import { describeError } from './error-text.ts';
import { html, type View } from './html.ts';

/** The ID of the heading of an error. */
export const errorHeadingId = 'error-title';

/** Shows an error, with a button to try again if that can help. */
export function ErrorView({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }): View {
  const { title, text, advice, reason, retryable, retryAfter = 0 } = describeError(error);
  const secondsLeft = useCountdown(error, retryAfter);
  return html`
    <div class="problem" role="alert">
      <h2 id=${errorHeadingId} tabindex="-1">${title}</h2>
      <p>${text}</p>
      ${reason === undefined ? null : html`<p class="soft">The platform says: “${reason}”</p>`}
      ${advice === undefined ? null : html`<p>${advice}</p>`}
      ${
        retryable && onRetry !== undefined
          ? html`<button type="button" onClick=${onRetry} disabled=${secondsLeft > 0}>
              ${secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Try again'}
            </button>`
          : null
      }
    </div>
  `;
}

/** Returns the remaining seconds, counted down for each new cause. */
function useCountdown(cause: unknown, seconds: number): number {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    setSecondsLeft(seconds);
    if (seconds <= 0) return;
    const timer = setInterval(() => setSecondsLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [cause, seconds]);
  return secondsLeft;
}
