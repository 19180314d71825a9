import { messages } from '../language/language.ts';
import { isAudioFormat } from '../query/wanted-file.ts';
import type { SavedRender } from './saved-renders.ts';

/** Describes the status of a render. */
export function statusText({ status, cancelled = false }: Pick<SavedRender, 'status' | 'cancelled'>): string {
  const { status: texts } = messages().files;
  return cancelled ? texts.cancelled : texts[status];
}

/** Describes the file of a render: the quality of its video, or the format of its audio. */
export function labelText({ kind, label, name = label }: Pick<SavedRender, 'kind' | 'label' | 'name'>): string {
  const { audioFormats } = messages().choices;
  return kind === 'audio' && isAudioFormat(label) ? audioFormats[label] : name;
}
