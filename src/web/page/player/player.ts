import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { Picture } from '../common/picture.ts';
import { messages } from '../language/language.ts';

interface PlayerProps {
  readonly kind: 'video' | 'audio';
  /** The file to play; undefined for items without a preview, whose poster is shown. */
  readonly url: string | undefined;
  readonly title: string;
  /** Whether the file has audio that the preview does not play. */
  readonly silent?: boolean;
  readonly poster?: string | undefined;
  /** Called with the player when it is opened, and with undefined when it is gone. */
  readonly onMedia?: ((media: HTMLMediaElement | undefined) => void) | undefined;
  /** Requests another link to the same file. It is called at most once, when the link has expired. */
  readonly requestFreshUrl?: (() => Promise<string>) | undefined;
}

/** Shows a poster with a button, and plays the file in its place when it is pressed. Nothing is loaded before that. */
export function Player({ kind, url, title, silent = false, poster, requestFreshUrl, onMedia }: PlayerProps): View {
  const [state, setState] = useState<'closed' | 'open' | 'broken'>('closed');
  const [source, setSource] = useState({ url, startAt: 0, replaced: false });
  const media = useRef<HTMLMediaElement>(null);
  const { player: texts } = messages();
  // The player replaces the button, which had the focus.
  useEffect(() => {
    media.current?.focus();
    onMedia?.(media.current ?? undefined);
  }, [state]);
  if (source.url === undefined) {
    return poster === undefined ? null : html`<div class="stage"><${Picture} src=${poster} shape="wide" /></div>`;
  }
  if (state === 'closed') {
    return html`<div class="stage">
      <${Picture} src=${poster} shape="wide" />
      <button type="button" class="play" onClick=${() => setState('open')}>
        <${Icon} name="play" /> <span class="unseen">${texts.preview(title)}</span>
      </button>
    </div>`;
  }
  if (state === 'broken') {
    return html`<div class="stage"><${Picture} src=${poster} shape="wide" /></div>
      <p class="soft" role="alert">${texts.unplayable}</p>`;
  }
  const recover = async () => {
    const startAt = media.current?.currentTime ?? 0;
    try {
      if (requestFreshUrl === undefined || source.replaced || !(await hasExpired(source.url ?? '')))
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
    'aria-label': texts.preview(title),
    onError: () => void recover(),
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      if (source.startAt > 0) currentTarget.currentTime = source.startAt;
    },
  };
  return html`<div class="stage">
    ${
      kind === 'audio'
        ? html`<audio class="player" ref=${media} ...${player} />`
        : html`<video class="player" ref=${media} playsinline poster=${poster} ...${player} />`
    }
    ${silent ? html`<p class="silent small">${texts.silent}</p>` : null}
  </div>`;
}

/** Whether a link has expired. Media elements do not report the status of their requests. */
async function hasExpired(url: string): Promise<boolean> {
  const { status } = await fetch(url, { method: 'HEAD' });
  return status === 410;
}
