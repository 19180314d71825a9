import { html, type View } from './html.ts';

interface ChoiceProps {
  readonly label: string;
  /** What there is to choose, with its names. */
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

/** A row of buttons of which one is on. */
export function Choice({ label, options, value, onChoose }: ChoiceProps): View {
  return html`
    <div class="choice" role="group" aria-label=${label}>
      ${Object.entries(options).map(
        ([each, name]) => html`
          <button type="button" key=${each} aria-pressed=${each === value} onClick=${() => onChoose(each)}>${name}</button>
        `,
      )}
    </div>
  `;
}
