import { useState } from 'preact/hooks';
import type { Answer, ExtractedContent } from '#client/index.ts';
import { focusOn } from './announcer.ts';
import { askForQuality, canAskFor } from './ask.ts';
import { cardId } from './file-card.ts';
import { begin } from './files.ts';
import { bytesText, capital } from './format.ts';
import { html, type View } from './html.ts';
import { titleOf } from './media-facts.ts';
import { ProblemView } from './problem-view.ts';
import { type Quality, qualitiesOf, type ReadyItem } from './qualities.ts';
import { addressOf, type Question } from './question.ts';

interface QualityListProps {
  readonly question: Question;
  readonly answer: Answer;
  readonly content: ExtractedContent;
  /** Of what, where there are several. */
  readonly of?: string;
}

/** Every quality of a content, each with what can be done to get it. */
export function QualityList({ question, answer, content, of }: QualityListProps): View {
  const [busy, setBusy] = useState<string>();
  const [failed, setFailed] = useState<{ readonly quality: Quality; readonly error: unknown }>();
  const place = answer.contents?.indexOf(content) ?? 0;
  const qualities = qualitiesOf(content, (label) => canAskFor(question.link, label));

  const pick = async (quality: Quality) => {
    if (busy !== undefined) return;
    setBusy(quality.label);
    setFailed(undefined);
    try {
      const item = await readyItem(quality, question, place);
      await begin({
        id: item.repId,
        title: titleOf(answer),
        label: quality.label,
        kind: quality.kind,
        platform: question.link.platform,
        source: addressOf(question),
        executionUrl: item.renderConfig.executionUrl,
        bytes: quality.bytes,
      });
      focusOn(cardId(item.repId));
    } catch (error) {
      setFailed({ quality, error });
    } finally {
      setBusy(undefined);
    }
  };

  if (qualities.length === 0) return html`<p>There is nothing here that could be saved.</p>`;
  return html`
    <section class="qualities" aria-label=${of === undefined ? 'Qualities' : `Qualities of ${of}`}>
      <ul>
        ${qualities.map(
          (quality) => html`
          <li key=${`${quality.kind} ${quality.label}`}>
            <${QualityFacts} quality=${quality} />
            <${QualityAction} quality=${quality} busy=${busy} onPick=${() => void pick(quality)} />
          </li>
        `,
        )}
      </ul>
      ${
        failed === undefined
          ? null
          : html`<${ProblemView} error=${failed.error} onRetry=${() => void pick(failed.quality)} />`
      }
    </section>
  `;
}

/** The render of a quality, asked for where it did not come with the answer. */
async function readyItem({ way, label, kind }: Quality, question: Question, place: number): Promise<ReadyItem> {
  if (way.by === 'render') return way.item;
  const { contents } = await askForQuality(question, label);
  const content = contents?.[place];
  const items = (kind === 'video' ? content?.renderableVideos : content?.renderableAudios) ?? [];
  const ready = items.find((item) => item.renderConfig !== undefined);
  if (ready?.renderConfig === undefined) throw new Error(items[0]?.error ?? `There is no ${label} any more.`);
  return ready;
}

function QualityFacts({ quality }: { quality: Quality }): View {
  const { label, kind, container, codec, bytes, exact, sound, way } = quality;
  const size = bytes === undefined ? '' : `${exact ? '' : 'about '}${bytesText(bytes)}`;
  const facts = [container, codec, size, soundText(quality)];
  return html`
    <div>
      <strong class="label">${kind === 'audio' ? capital(label) : label}</strong>
      <span class=${sound ? 'soft' : 'soft silent'}>${facts.filter((fact) => fact !== '').join(' · ')}</span>
      ${way.by === 'none' ? html`<span class="why">${way.why}</span>` : null}
    </div>
  `;
}

function soundText({ kind, sound }: Quality): string {
  if (kind === 'audio') return 'sound alone';
  return sound ? 'with sound' : 'no sound';
}

interface ActionProps {
  readonly quality: Quality;
  readonly busy: string | undefined;
  readonly onPick: () => void;
}

function QualityAction({ quality: { label, kind, way }, busy, onPick }: ActionProps): View {
  const name = label.toLowerCase().includes(kind) ? label : `${label} ${kind}`;
  const what = html`<span class="unseen"> ${name}</span>`;
  if (way.by === 'none') return null;
  if (way.by === 'link') return html`<a class="button" href=${way.item.url} download>Download${what}</a>`;
  return html`
    <button type="button" onClick=${onPick} disabled=${busy !== undefined && busy !== label} aria-busy=${busy === label}>
      ${busy === label ? 'Starting …' : html`Get${what}`}
    </button>
  `;
}
