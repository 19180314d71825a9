import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from './html.ts';

interface PlayerProps {
  readonly kind: 'video' | 'audio';
  readonly url: string;
  readonly title: string;
  readonly poster?: string | undefined;
}

/** Shows a button, and replaces it with a player when it is pressed. Nothing is loaded before that. */
export function Player({ kind, url, title, poster }: PlayerProps): View {
  const [state, setState] = useState<'closed' | 'open' | 'broken'>('closed');
  const media = useRef<HTMLMediaElement>(null);
  // The player replaces the button, which had the focus.
  useEffect(() => media.current?.focus(), [state]);
  if (state === 'closed') {
    return html`<button type="button" class="quiet" onClick=${() => setState('open')}>
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z" /></svg> Preview
    </button>`;
  }
  if (state === 'broken') {
    return html`<p class="soft" role="alert">Your browser cannot play this file. You can still download it.</p>`;
  }
  const player = {
    controls: true,
    autoplay: true,
    src: url,
    'aria-label': `Preview of ${title}`,
    onError: () => setState('broken'),
  };
  return kind === 'audio'
    ? html`<audio class="player" ref=${media} ...${player} />`
    : html`<video class="player" ref=${media} playsinline poster=${poster} ...${player} />`;
}
