import { useEffect, useRef, useState } from 'preact/hooks';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import {
  type ClipEnd,
  type ClipEnds,
  clipBetween,
  clipTimeText,
  endsOf,
  moveEnd,
  type TimeFault,
  typeEnd,
} from './clip-range.ts';
import { ClipTrack, firstHandleId } from './clip-track.ts';
import type { ClipRange } from './item-options.ts';

interface ClipEditorProps {
  /** Duration of the item in seconds. */
  readonly duration: number;
  readonly clip?: ClipRange | undefined;
  /** The player of the preview, while there is one: it shows the moment at a handle, and plays the clip. */
  readonly media?: HTMLMediaElement | undefined;
  readonly onChange: (clip: ClipRange | undefined) => void;
}

/** Lets a visitor select the part of an item to keep: with two handles, typed times, or the position of the player. */
export function ClipEditor({ duration, clip, media, onChange }: ClipEditorProps): View {
  const { clip: texts } = messages().tools;
  const ends = endsOf(clip, duration);
  const change = (next: ClipEnds) => onChange(clipBetween(next, duration));
  const move = (which: ClipEnd, to: number) => {
    const moved = moveEnd(ends, which, to, duration);
    if (media !== undefined) media.currentTime = moved[which];
    change(moved);
  };
  const clear = () => {
    onChange(undefined);
    // The button is gone.
    focusOn(firstHandleId);
  };
  const playClip = usePlayClip(media, ends);
  return html`
    <div class="clip" role="group" aria-label=${texts.part}>
      <${ClipTrack} duration=${duration} ends=${ends} media=${media} onMove=${move} />
      <div class="clip-times">
        <${TimeField} which="start" ends=${ends} duration=${duration} onChange=${change} />
        <${TimeField} which="end" ends=${ends} duration=${duration} onChange=${change} />
      </div>
      ${
        media === undefined
          ? null
          : html`
              <p class="actions">
                <button type="button" onClick=${() => move('start', media.currentTime)}>${texts.setStart}</button>
                <button type="button" onClick=${() => move('end', media.currentTime)}>${texts.setEnd}</button>
                <button type="button" onClick=${playClip}>${texts.play}</button>
              </p>
            `
      }
      <p class="actions clip-result">
        <strong class="clip-length">${texts.length(clipTimeText(ends.end - ends.start))}</strong>
        <button type="button" class="plain" disabled=${clip === undefined} onClick=${clear}>${texts.whole}</button>
      </p>
      <p class="soft small clip-hint">${texts.hint}</p>
    </div>
  `;
}

interface TimeFieldProps {
  readonly which: ClipEnd;
  readonly ends: ClipEnds;
  readonly duration: number;
  readonly onChange: (ends: ClipEnds) => void;
}

/** Shows a time, which can be typed. A time that is not possible stays in the field, with the reason. */
function TimeField({ which, ends, duration, onChange }: TimeFieldProps): View {
  const { clip: texts } = messages().tools;
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<TimeFault>();
  const commit = () => {
    if (draft === undefined) return;
    const next = typeEnd(ends, which, draft, duration);
    if (typeof next === 'string') return setFault(next);
    setDraft(undefined);
    setFault(undefined);
    onChange(next);
  };
  // A handle that moves replaces what was typed.
  useEffect(() => {
    setDraft(undefined);
    setFault(undefined);
  }, [ends[which]]);
  const faultId = `clip-${which}-fault`;
  const faultText = fault === 'outside' ? texts.outside(clipTimeText(duration)) : fault && texts[fault];
  return html`
    <label class="labelled">
      <span>${texts[which]}</span>
      <input
        type="text" inputmode="text" autocomplete="off" spellcheck=${false} value=${draft ?? clipTimeText(ends[which])}
        aria-invalid=${fault !== undefined} aria-describedby=${fault === undefined ? undefined : faultId}
        onInput=${(event: { currentTarget: HTMLInputElement }) => setDraft(event.currentTarget.value)}
        onBlur=${commit}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') commit();
        }}
      />
      ${faultText === undefined ? null : html`<span id=${faultId} class="fault small" role="alert">${faultText}</span>`}
    </label>
  `;
}

/** Returns a function that plays a clip in the player, and pauses at its end. */
function usePlayClip(media: HTMLMediaElement | undefined, { start, end }: ClipEnds): () => void {
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), [media, start, end]);
  return () => {
    if (media === undefined) return;
    stop.current?.();
    const pauseAtEnd = () => {
      if (media.currentTime < end) return;
      media.pause();
      stop.current?.();
    };
    stop.current = () => media.removeEventListener('timeupdate', pauseAtEnd);
    media.addEventListener('timeupdate', pauseAtEnd);
    media.currentTime = start;
    // A browser that does not allow it shows the controls of the player, which do the same.
    media.play().catch(() => stop.current?.());
  };
}
