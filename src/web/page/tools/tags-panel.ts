import { useState } from 'preact/hooks';
import type { ExtractionResponse } from '#client/index.ts';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { type TagName, type Tags, tagNames } from './item-options.ts';
import { platformTags } from './platform-tags.ts';

/** Maximum length of a tag, in characters, and the form of a date: as the extraction API accepts them. */
const MAX_TAG = 500;
const datePattern = /^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$/;

const firstFieldId = `tag-${tagNames[0]}`;

interface TagsPanelProps {
  readonly result: ExtractionResponse;
  readonly tags?: Tags | undefined;
  readonly onChange: (tags: Tags | undefined) => void;
}

/** Lets a visitor edit the tags of the file. An empty field keeps the value of the platform, which it then shows. */
export function TagsPanel({ result, tags, onChange }: TagsPanelProps): View {
  const { tags: texts } = messages().tools;
  const original = platformTags(result);
  const edit = (name: TagName, value: string | undefined) => {
    const { [name]: _previous, ...others } = tags ?? {};
    const next = value === undefined ? others : { ...others, [name]: value };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const reset = () => {
    onChange(undefined);
    // The button is gone.
    focusOn(firstFieldId);
  };
  return html`
    <p class="soft small">${texts.hint}</p>
    <div class="tag-fields">
      ${tagNames.map(
        (name) => html`<${TagField}
          key=${name} name=${name} original=${original[name] ?? ''} edited=${tags?.[name]}
          onEdit=${(value: string | undefined) => edit(name, value)}
        />`,
      )}
    </div>
    <p class="actions">
      <button type="button" class="plain" disabled=${tags === undefined} onClick=${reset}>
        ${texts.reset}
      </button>
    </p>
  `;
}

interface TagFieldProps {
  readonly name: TagName;
  readonly original: string;
  readonly edited: string | undefined;
  readonly onEdit: (value: string | undefined) => void;
}

function TagField({ name, original, edited, onEdit }: TagFieldProps): View {
  const { tags: texts } = messages().tools;
  // What is in the field while it does not set the tag: nothing, or a date that is not complete.
  const [draft, setDraft] = useState<string>();
  const text = draft ?? edited ?? original;
  const isFaulty = name === 'date' && draft !== undefined && draft.trim() !== '';
  const faultId = `tag-${name}-fault`;
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const value = currentTarget.value.trim();
    const isSet = value !== '' && (name !== 'date' || datePattern.test(value));
    setDraft(isSet ? undefined : currentTarget.value);
    onEdit(isSet && value !== original ? currentTarget.value : undefined);
  };
  return html`
    <label class="labelled">
      <span>${texts.names[name]}</span>
      <input
        id=${`tag-${name}`} type="text" autocomplete="off" maxlength=${MAX_TAG} value=${text} placeholder=${original} dir="auto"
        aria-invalid=${isFaulty} aria-describedby=${isFaulty ? faultId : undefined} onInput=${onInput}
      />
      ${isFaulty ? html`<span id=${faultId} class="fault small">${texts.dateFault}</span>` : null}
    </label>
  `;
}
