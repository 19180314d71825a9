import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from './html.ts';

interface PlayerProps {
  readonly kind: 'video' | 'audio';
  readonly url: string;
  readonly title: string;
  readonly poster?: string | undefined;
  /** Requests another link to the same file. It is called at most once, when the link has expired. */
  readonly requestFreshUrl?: (() => Promise<string>) | undefined;
}

/** Shows a button, and replaces it with a player when it is pressed. Nothing is loaded before that. */
export function Player({ kind, url, title, poster, requestFreshUrl }: PlayerProps): View {
  const [state, setState] = useState<'closed' | 'open' | 'broken'>('closed');
  const [source, setSource] = useState({ url, startAt: 0, replaced: false });
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
  const recover = async () => {
    const startAt = media.current?.currentTime ?? 0;
    try {
      if (requestFreshUrl === undefined || source.replaced || !(await hasExpired(source.url)))
        return setState('broken');
      setSource({ url: await requestFreshUrl(), startAt, replaced: true });
    } catch {
      // The link of the download below the player reports why no new link can be requested.
      setState('broken');
    }
  };
  const player = {
    controls: true,
    autoplay: true,
    src: source.url,
    'aria-label': `Preview of ${title}`,
    onError: () => void recover(),
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      if (source.startAt > 0) currentTarget.currentTime = source.startAt;
    },
  };
  return kind === 'audio'
    ? html`<audio class="player" ref=${media} ...${player} />`
    : html`<video class="player" ref=${media} playsinline poster=${poster} ...${player} />`;
}

/** Whether a link has expired. Media elements do not report the status of their requests. */
async function hasExpired(url: string): Promise<boolean> {
  const { status } = await fetch(url, { method: 'HEAD' });
  return status === 410;
}
