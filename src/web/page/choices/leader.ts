import type { MediaItem } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { useStore } from '../common/store.ts';
import { savedFiles } from '../downloads/auto-save.ts';
import { isUnderWay, type Render } from '../downloads/renders.ts';
import { statusText } from '../downloads/status-text.ts';
import { bytesText, percentText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { containerText } from '../qualities/codecs.ts';
import type { audioFormats } from '../query/wanted-file.ts';
import type { Choice } from './choices.ts';

interface LeaderProps {
  readonly choice: Choice;
  /** Whether it is the main action of the page. */
  readonly primary: boolean;
  readonly busy: boolean;
  readonly disabled: boolean;
  /** The render that the choice has started. */
  readonly render: Render | undefined;
  readonly onGet: () => void;
}

/** Shows a choice as a large button, in which the progress of its render is visible. */
export function Leader({ choice, primary, busy, disabled, render, onGet }: LeaderProps): View {
  const saved = useStore(savedFiles);
  const { choices: texts, files } = messages();
  const running = render !== undefined && isUnderWay(render) ? render : undefined;
  const isSaved = render !== undefined && saved.has(render.id);
  return html`
    <button
      type="button" class=${primary ? 'leader primary' : 'leader'} aria-busy=${busy} disabled=${disabled}
      onClick=${onGet}
    >
      <${Icon} name=${choice.kind} />
      <span class="what">
        <strong>${busy ? texts.starting : titleOf(choice)}</strong>
        <span class="details">
          ${running === undefined ? (isSaved ? files.saved : detailsOf(choice)) : progressText(running)}
        </span>
      </span>
      <${Icon} name=${isSaved ? 'check' : 'download'} />
      ${running === undefined ? null : html`<span class="filled" style=${{ inlineSize: `${running.progress}%` }}></span>`}
    </button>
  `;
}

function progressText(render: Render): string {
  return `${statusText(render)} · ${percentText(render.progress / 100)}`;
}

function titleOf(choice: Choice): string {
  const { choices: texts } = messages();
  if (choice.kind === 'audio') return texts.audio;
  if (choice.kind === 'image') return texts.image;
  return choice.best ? texts.bestVideo : texts.video(isolate(choice.quality.name));
}

function detailsOf(choice: Choice): string {
  const { choices: texts } = messages();
  if (choice.kind === 'audio') return isNamed(choice.format) ? texts.audioFormats[choice.format] : choice.format;
  if (choice.kind === 'image') return imageDetails(choice.item);
  const { name, fps, container, bytes, exact, hasAudio: withAudio } = choice.quality;
  const size = bytes === undefined ? undefined : bytesText(bytes);
  return [
    ...(choice.best ? [isolate(name)] : []),
    ...(fps === undefined ? [] : [messages().quality.framesPerSecond(fps)]),
    container,
    ...(size === undefined ? [] : [exact ? size : texts.about(size)]),
    ...(withAudio ? [] : [texts.noAudio]),
  ].join(' · ');
}

function imageDetails({ metadata }: MediaItem): string {
  const { width, height, content_length: bytes } = metadata;
  return [
    ...(width > 0 ? [`${width} × ${height}`] : []),
    containerText(metadata),
    ...(bytes === undefined ? [] : [bytesText(bytes)]),
  ].join(' · ');
}

function isNamed(format: string): format is (typeof audioFormats)[number] {
  return format in messages().choices.audioFormats;
}
