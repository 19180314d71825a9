import { useState } from 'preact/hooks';
import { numberAt } from '#client/read-members.ts';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { useStore } from '../common/store.ts';
import { cardId } from '../downloads/render-card.ts';
import { renders } from '../downloads/renders.ts';
import { messages } from '../language/language.ts';
import { ErrorView } from '../problems/error-view.ts';
import { type Quality, qualitiesOf } from '../qualities/qualities.ts';
import { canRequestQuality } from '../query/fetch-result.ts';
import { audioFormats } from '../query/wanted-file.ts';
import { clipShare, type ItemOptions } from '../tools/item-options.ts';
import { type Choice, hasAudio, leadingChoices, onlyImage } from './choices.ts';
import { type ContentItem, getFile } from './get-file.ts';
import { Leader } from './leader.ts';
import { BEST } from './parse-choice.ts';
import { QualityRow } from './quality-row.ts';
import { rememberChoice, rememberedChoice } from './remembered-choice.ts';

interface ChoicesProps extends ContentItem {
  readonly options: ItemOptions;
  /** The name of the content item, if there are several. */
  readonly name?: string;
}

/** The width at which the list of files is beside the result, as in `style/frame.css`. */
const FILES_BESIDE = '(min-width: 68rem)';

/** Shows the files that a visitor can get: the two or three that most want as large buttons, and all others below. */
export function ChoicesView({ options, name, ...item }: ChoicesProps): View {
  const { choices: texts } = messages();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<{ readonly choice: Choice; readonly error: unknown }>();
  const isRequestable = (label: string) => canRequestQuality(item.query.link, label);
  const share = clipShare(options.clip, numberAt(item.result.metadata.additionalData, 'duration') ?? 0);
  const videos = qualitiesOf(item.content, isRequestable)
    .filter(({ kind }) => kind === 'video')
    .map((quality) => partOf(quality, share));
  const audio = hasAudio(item.content, videos);
  // The order stays as it is while the item is shown, so that no button moves under a click.
  const [remembered] = useState(rememberedChoice.get);
  const [started, setStarted] = useState<ReadonlyMap<string, string>>(new Map());
  const list = useStore(renders);
  const image = onlyImage(item.content);
  const leading =
    image === undefined ? leadingChoices(videos, audio, remembered) : [{ kind: 'image', item: image } as const];

  const get = async (choice: Choice) => {
    if (busy !== undefined) return;
    setBusy(keyOf(choice));
    setFailure(undefined);
    remember(choice);
    try {
      const id = await getFile(item, choice, options);
      if (id === undefined) return;
      setStarted((previous) => new Map(previous).set(keyOf(choice), id));
      // On a narrow screen, the list of files is far below. The button shows the progress instead.
      if (!leading.includes(choice) || matchMedia(FILES_BESIDE).matches) focusOn(cardId(id));
    } catch (error) {
      setFailure({ choice, error });
    } finally {
      setBusy(undefined);
    }
  };

  if (leading.length === 0 && videos.length === 0) return html`<p>${texts.nothing}</p>`;
  return html`
    <section class="choices" aria-label=${name === undefined ? texts.title : texts.titleOf(name)}>
      <ul class="leading">
        ${leading.map(
          (choice, index) => html`<li key=${keyOf(choice)}>
            <${Leader}
              choice=${choice} primary=${index === 0} busy=${busy === keyOf(choice)}
              disabled=${busy !== undefined && busy !== keyOf(choice)}
              render=${list.find(({ id }) => id === started.get(keyOf(choice)))} onGet=${() => void get(choice)}
            />
          </li>`,
        )}
      </ul>
      ${
        failure === undefined
          ? null
          : html`<${ErrorView} error=${failure.error} onRetry=${() => void get(failure.choice)} />`
      }
      ${image === undefined ? html`<${AllFiles} videos=${videos} audio=${audio} busy=${busy} onGet=${(choice: Choice) => void get(choice)} />` : null}
    </section>
  `;
}

interface AllFilesProps {
  readonly videos: readonly Quality[];
  readonly audio: boolean;
  readonly busy: string | undefined;
  readonly onGet: (choice: Choice) => void;
}

/** Lists all qualities of the video and all formats of the audio. */
function AllFiles({ videos, audio, busy, onGet }: AllFilesProps): View {
  const { choices: texts } = messages();
  return html`
      <details class="all">
        <summary>${texts.all}</summary>
        <ul class="rows">
          ${videos.map(
            (quality) => html`<${QualityRow}
              key=${quality.label} quality=${quality} busy=${busy === `video ${quality.label}`}
              onGet=${() => onGet({ kind: 'video', best: false, quality })}
            />`,
          )}
        </ul>
        ${
          audio
            ? html`
                <h3>${texts.audioOnly}</h3>
                <p class="actions">
                  ${audioFormats.map(
                    (format) => html`<button
                      type="button" key=${format} aria-busy=${busy === `audio ${format}`}
                      onClick=${() => onGet({ kind: 'audio', format })}
                    >${texts.audioFormats[format]}</button>`,
                  )}
                </p>
              `
            : null
        }
      </details>
  `;
}

/** Returns a quality with the approximate size of a part of the item. */
function partOf(quality: Quality, share: number): Quality {
  const { bytes } = quality;
  return share === 1 || bytes === undefined ? quality : { ...quality, bytes: bytes * share, exact: false };
}

function remember(choice: Choice): void {
  if (choice.kind === 'audio') rememberChoice({ kind: 'audio', label: choice.format });
  if (choice.kind === 'video') rememberChoice({ kind: 'video', label: choice.best ? BEST : choice.quality.label });
}

function keyOf(choice: Choice): string {
  if (choice.kind === 'image') return 'image';
  return choice.kind === 'audio' ? `audio ${choice.format}` : `video ${choice.quality.label}`;
}
