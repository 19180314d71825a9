import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ExtractedContent } from '#client/index.ts';
import { numberAt } from '#client/read-members.ts';
import { html, type View } from '../common/html.ts';
import { Icon, type IconName } from '../common/icon.ts';
import { flagAt } from '../common/read-members.ts';
import { messages } from '../language/language.ts';
import { lazy } from '../loading/lazy.ts';
import type { QueryResult } from '../query/query-result.ts';
import { coverOf } from './cover.ts';
import { audioLanguagesOf, subtitleLanguagesOf, transcriptLanguagesOf } from './item-languages.ts';
import { type ItemOptions, withoutOption } from './item-options.ts';
import { OptionSummary } from './option-summary.ts';

interface ItemToolsProps extends QueryResult {
  /** The content item whose file the options are for; undefined if the result has several. */
  readonly content?: ExtractedContent | undefined;
  readonly options: ItemOptions;
  readonly onChange: (options: ItemOptions) => void;
  /** The player of the preview, while there is one. */
  readonly media?: HTMLMediaElement | undefined;
}

const ClipEditor = lazy(async () => (await import('./clip-editor.ts')).ClipEditor);
const LanguagesPanel = lazy(async () => (await import('./languages-panel.ts')).LanguagesPanel);
const TagsPanel = lazy(async () => (await import('./tags-panel.ts')).TagsPanel);
const CoverPanel = lazy(async () => (await import('./cover-panel.ts')).CoverPanel);
const SharePanel = lazy(async () => (await import('./share-panel.ts')).SharePanel);

/** Shows what can be done with an item besides getting it: a row of disclosures, and a summary of what is selected. */
export function ItemTools({ query, result, content, options, onChange, media }: ItemToolsProps): View {
  const { tools: texts } = messages();
  const { clip, ...others } = options;
  const duration = numberAt(result.metadata.additionalData, 'duration') ?? 0;
  const isRendered = content !== undefined && (content.videos ?? content.audios) !== undefined;
  const canClip = isRendered && duration > 0 && !flagAt(result.metadata.additionalData, 'isLive');
  const languagesTitle = isRendered ? languagesTitleOf({ query, result }, content) : undefined;
  return html`
    <section class="tools" aria-label=${texts.title}>
      ${isRendered ? html`<${OptionSummary} options=${options} duration=${duration} onChange=${onChange} />` : null}
      ${
        canClip
          ? html`<${Tool} icon="scissors" title=${texts.clip.title}>
              <${ClipEditor}
                duration=${duration} clip=${clip} media=${media}
                onChange=${(next: ItemOptions['clip']) => onChange(next === undefined ? others : { ...others, clip: next })}
              />
            <//>`
          : null
      }
      ${
        languagesTitle === undefined
          ? null
          : html`<${Tool} icon="subtitles" title=${languagesTitle}>
              <${LanguagesPanel} query=${query} result=${result} content=${content} options=${options} onChange=${onChange} />
            <//>`
      }
      ${
        isRendered
          ? html`<${Tool} icon="tag" title=${texts.tags.title}>
              <${TagsPanel}
                result=${result} tags=${options.tags}
                onChange=${(tags: ItemOptions['tags']) =>
                  onChange(tags === undefined ? withoutOption(options, 'tags') : { ...options, tags })}
              />
            <//>`
          : null
      }
      ${
        coverOf(result) === undefined
          ? null
          : html`<${Tool} icon="image" title=${texts.cover.title}><${CoverPanel} result=${result} /><//>`
      }
      <${Tool} icon="share" title=${texts.share.title}><${SharePanel} query=${query} result=${result} /><//>
    </section>
  `;
}

/** Names the languages that can be selected; undefined if there are none. */
function languagesTitleOf({ result }: QueryResult, content: ExtractedContent): string | undefined {
  const { languages: texts } = messages().tools;
  const hasAudio = audioLanguagesOf(content).length > 1;
  const hasSubtitles = subtitleLanguagesOf(result).length + transcriptLanguagesOf(result).length > 0;
  if (hasAudio && hasSubtitles) return texts.title;
  if (hasAudio) return texts.titleAudio;
  return hasSubtitles ? texts.titleSubtitles : undefined;
}

interface ToolProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Shows a tool as a disclosure. Its content is created when it is opened first, and kept. */
function Tool({ icon, title, children }: ToolProps): View {
  const [isOpened, setOpened] = useState(false);
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (currentTarget.open) setOpened(true);
  };
  return html`
    <details onToggle=${onToggle}>
      <summary><${Icon} name=${icon} /> ${title}</summary>
      ${isOpened ? html`<div class="tool">${children}</div>` : null}
    </details>
  `;
}
