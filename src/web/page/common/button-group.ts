import { html, type View } from './html.ts';

interface ButtonGroupProps {
  readonly label: string;
  /** The names of the options, by value. */
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

/** Shows a row of buttons, one of which is pressed. */
export function ButtonGroup({ label, options, value, onChoose }: ButtonGroupProps): View {
  return html`
    <div class="choice" role="group" aria-label=${label}>
      ${Object.entries(options).map(
        ([optionValue, name]) => html`
          <button type="button" key=${optionValue} aria-pressed=${optionValue === value} onClick=${() => onChoose(optionValue)}>${name}</button>
        `,
      )}
    </div>
  `;
}
