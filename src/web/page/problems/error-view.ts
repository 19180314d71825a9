import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon, type IconName } from '../common/icon.ts';
import { useOnline } from '../common/use-online.ts';
import { durationText, timeText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { ErrorDetails } from './error-details.ts';
import { describeError } from './error-text.ts';

/** The ID of the heading of an error. */
export const errorHeadingId = 'error-title';

interface ErrorViewProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Whether it is the main content of the page. */
  readonly main?: boolean;
  /** What the error is about, if it is the main content. */
  readonly icon?: IconName;
  /** What else helps with this error. */
  readonly children?: ComponentChildren;
}

/** Shows an error, with a button to try again if that can help. */
export function ErrorView({ error, onRetry, main = false, icon = 'info', children }: ErrorViewProps): View {
  const { title, text, advice, quote, retryable, retryAfter = 0 } = describeError(error, useOnline());
  const secondsLeft = useCountdown(error, retryAfter);
  const { problem } = messages();
  return html`
    <div class="problem" role="alert" data-offline=${!navigator.onLine}>
      ${main ? html`<${Icon} name=${icon} />` : null}
      <h2 id=${errorHeadingId} tabindex="-1">${title}</h2>
      <p>${text}</p>
      ${quote === undefined ? null : html`<p class="soft quote" dir="auto">${quote}</p>`}
      ${advice === undefined ? null : html`<p>${advice}</p>`}
      ${children}
      ${
        retryable && onRetry !== undefined
          ? html`<p class="actions">
              <button type="button" class=${main ? 'primary' : ''} onClick=${onRetry} disabled=${secondsLeft > 0}>
                <${Icon} name="retry" />
                ${secondsLeft > 0 ? problem.tryAgainIn(waitText(secondsLeft)) : problem.tryAgain}
              </button>
            </p>`
          : null
      }
      <${ErrorDetails} error=${error} />
    </div>
  `;
}

/** Formats a wait so that it changes every second while a visitor may be waiting for its end. */
function waitText(seconds: number): string {
  return seconds < 60 || seconds >= 3_600 ? timeText(seconds) : durationText(seconds);
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
