import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';

const COUNT = 8;

/** Shows the shapes of cards while a list is loaded. */
export function CardSkeletons(): View {
  return html`
    <p class="unseen">${messages().list.loading}</p>
    <div class="grid cards" aria-hidden="true">
      ${Array.from(
        { length: COUNT },
        (_, index) => html`
        <div class="card" key=${index}>
          <span class="skeleton wide"></span>
          <span class="skeleton line"></span>
          <span class="skeleton line short"></span>
        </div>
      `,
      )}
    </div>
  `;
}
