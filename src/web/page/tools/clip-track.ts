import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { type ClipEnd, type ClipEnds, clipTimeText } from './clip-range.ts';

interface ClipTrackProps {
  /** Duration of the item in seconds. */
  readonly duration: number;
  readonly ends: ClipEnds;
  readonly media?: HTMLMediaElement | undefined;
  readonly onMove: (which: ClipEnd, to: number) => void;
}

/** Seconds that an arrow key moves a handle, without and with Shift. */
const STEPS = { plain: 1, shift: 10 } as const;

/** The ID of the handle at the start. */
export const firstHandleId = 'clip-start';

/** Shows an item as a track, with a handle at each end of the selected part. */
export function ClipTrack({ duration, ends, media, onMove }: ClipTrackProps): View {
  const track = useRef<HTMLDivElement>(null);
  const dragged = useRef<ClipEnd>(undefined);
  const position = usePosition(media);
  const timeAt = (x: number) => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {};
    return ((x - left) / width) * duration;
  };
  const grab = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const time = timeAt(event.clientX);
    const which = Math.abs(time - ends.start) <= Math.abs(time - ends.end) ? 'start' : 'end';
    dragged.current = which;
    track.current?.setPointerCapture(event.pointerId);
    track.current?.querySelector<HTMLElement>(`[data-end="${which}"]`)?.focus();
    onMove(which, time);
  };
  const drag = (event: PointerEvent) => {
    if (dragged.current !== undefined) onMove(dragged.current, timeAt(event.clientX));
  };
  const release = () => {
    dragged.current = undefined;
  };
  const share = (seconds: number) => `${(100 * seconds) / duration}%`;
  return html`
    <div class="clip-frame">
      <div
        ref=${track} class="clip-track" style=${{ '--start': share(ends.start), '--end': share(ends.end) }}
        onMouseDown=${keepFocus} onPointerDown=${grab} onPointerMove=${drag} onPointerUp=${release} onPointerCancel=${release}
      >
        <div class="clip-part"></div>
        ${position === undefined ? null : html`<div class="clip-position" style=${{ left: share(Math.min(position, duration)) }}></div>`}
        <${Handle} which="start" ends=${ends} duration=${duration} onMove=${onMove} />
        <${Handle} which="end" ends=${ends} duration=${duration} onMove=${onMove} />
      </div>
    </div>
  `;
}

/** The browser would otherwise select text, and take the focus away from the handle. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

interface HandleProps {
  readonly which: ClipEnd;
  readonly ends: ClipEnds;
  readonly duration: number;
  readonly onMove: (which: ClipEnd, to: number) => void;
}

function Handle({ which, ends, duration, onMove }: HandleProps): View {
  const { clip: texts } = messages().tools;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? STEPS.shift : STEPS.plain;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: ends[which] - step,
      ArrowDown: ends[which] - step,
      ArrowRight: ends[which] + step,
      ArrowUp: ends[which] + step,
      PageDown: ends[which] - STEPS.shift,
      PageUp: ends[which] + STEPS.shift,
      Home: 0,
      End: duration,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onMove(which, target);
  };
  return html`
    <div
      id=${which === 'start' ? firstHandleId : undefined} class="clip-handle" role="slider" tabindex="0" data-end=${which} aria-label=${texts[which]}
      aria-valuemin=${which === 'start' ? 0 : ends.start} aria-valuemax=${which === 'start' ? ends.end : duration}
      aria-valuenow=${ends[which]} aria-valuetext=${clipTimeText(ends[which])} onKeyDown=${onKeyDown}
    ></div>
  `;
}

/** Returns the position of the player in seconds. */
function usePosition(media: HTMLMediaElement | undefined): number | undefined {
  const [position, setPosition] = useState<number>();
  useEffect(() => {
    if (media === undefined) return setPosition(undefined);
    const update = () => setPosition(media.currentTime);
    update();
    media.addEventListener('timeupdate', update);
    return () => media.removeEventListener('timeupdate', update);
  }, [media]);
  return position;
}
