import { useState } from 'preact/hooks';
import type { ExtractedContent, ExtractionResponse } from '#client/index.ts';
import { focusOn } from '../common/announcer.ts';
import { ErrorView } from '../common/error-view.ts';
import { bytesText, capitalise } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { cardId } from '../downloads/render-card.ts';
import { startRender } from '../downloads/renders.ts';
import { type Quality, qualitiesOf } from '../qualities/qualities.ts';
import { readyItem } from '../qualities/ready-item.ts';
import { canRequestQuality } from '../query/fetch-result.ts';
import { addressOf, type Query } from '../query/query.ts';
import type { QueryResult } from '../query/query-result.ts';
import { titleOf } from './media-facts.ts';
import { MediaLink } from './media-link.ts';

interface QualityListProps {
  readonly query: Query;
  readonly result: ExtractionResponse;
  readonly content: ExtractedContent;
  /** The name of the content item, if there are several. */
  readonly contentName?: string;
}

/** Lists the qualities of a content item, each with its button. */
export function QualityList({ query, result, content, contentName }: QualityListProps): View {
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<{ readonly quality: Quality; readonly error: unknown }>();
  const index = result.contents?.indexOf(content) ?? 0;
  const qualities = qualitiesOf(content, (label) => canRequestQuality(query.link, label));

  const start = async (quality: Quality) => {
    if (busy !== undefined) return;
    setBusy(quality.label);
    setFailure(undefined);
    try {
      const item = await readyItem(quality, query, index);
      await startRender({
        id: item.repId,
        title: titleOf(result),
        label: quality.label,
        kind: quality.kind,
        platform: query.link.platform,
        source: addressOf(query),
        content: index,
        executionUrl: item.renderConfig.executionUrl,
        bytes: quality.bytes,
      });
      focusOn(cardId(item.repId));
    } catch (error) {
      setFailure({ quality, error });
    } finally {
      setBusy(undefined);
    }
  };

  if (qualities.length === 0) return html`<p>There is nothing to download.</p>`;
  return html`
    <section class="qualities" aria-label=${contentName === undefined ? 'Qualities' : `Qualities of ${contentName}`}>
      <ul>
        ${qualities.map(
          (quality) => html`
          <li key=${`${quality.kind} ${quality.label}`}>
            <${QualityFacts} quality=${quality} />
            <${QualityAction} query=${query} result=${result} quality=${quality} busy=${busy} onStart=${() => void start(quality)} />
          </li>
        `,
        )}
      </ul>
      ${
        failure === undefined
          ? null
          : html`<${ErrorView} error=${failure.error} onRetry=${() => void start(failure.quality)} />`
      }
    </section>
  `;
}

function QualityFacts({ quality }: { quality: Quality }): View {
  const { label, kind, container, codec, bytes, exact, hasAudio, delivery } = quality;
  const size = bytes === undefined ? '' : `${exact ? '' : 'about '}${bytesText(bytes)}`;
  const facts = [container, codec, size, audioText(quality)];
  return html`
    <div>
      <strong class="label">${kind === 'audio' ? capitalise(label) : label}</strong>
      <span class=${hasAudio ? 'soft' : 'soft silent'}>${facts.filter((fact) => fact !== '').join(' · ')}</span>
      ${delivery.by === 'none' ? html`<span class="why">${delivery.reason}</span>` : null}
    </div>
  `;
}

function audioText({ kind, hasAudio }: Quality): string {
  if (kind === 'audio') return 'audio only';
  return hasAudio ? 'with audio' : 'no audio';
}

interface ActionProps extends QueryResult {
  readonly quality: Quality;
  readonly busy: string | undefined;
  readonly onStart: () => void;
}

function QualityAction({ query, result, quality: { label, kind, delivery }, busy, onStart }: ActionProps): View {
  const name = label.toLowerCase().includes(kind) ? label : `${label} ${kind}`;
  const hiddenName = html`<span class="unseen"> ${name}</span>`;
  if (delivery.by === 'none') return null;
  if (delivery.by === 'link') {
    return html`
      <${MediaLink} class="button" query=${query} result=${result} item=${delivery.item}>Download${hiddenName}<//>
    `;
  }
  return html`
    <button type="button" onClick=${onStart} disabled=${busy !== undefined && busy !== label} aria-busy=${busy === label}>
      ${busy === label ? 'Starting…' : html`Get${hiddenName}`}
    </button>
  `;
}
