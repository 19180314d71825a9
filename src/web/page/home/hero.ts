import { wheelSpokes } from '../artwork.ts';
import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { listText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { QueryForm } from '../query/query-form.ts';
import { QueryLink } from '../query/query-link.ts';

/** The first video on YouTube, from 2005. The lab has it as well. */
const EXAMPLE_LINK = 'https://www.youtube.com/watch?v=jNQXAC9IVRw';

/** Shows the field, and on the start page also what it is for. */
export function Hero({ home }: { home: boolean }): View {
  const { home: texts } = messages();
  if (!home) return html`<${QueryForm} />`;
  return html`
    <section aria-labelledby="pitch-title">
      <${Wheel} />
      <div class="pitch">
        <h2 id="pitch-title">${texts.title}</h2>
        <p>${texts.subtitle(listText(Object.values(platformNames)))}</p>
      </div>
      <${QueryForm} />
      <p class="example small">${texts.exampleIntro} <${QueryLink} to=${EXAMPLE_LINK}>${texts.example}<//></p>
    </section>
  `;
}

/** Draws a mill wheel, half in the water, where a wide window has room for it. */
function Wheel(): View {
  return html`
    <div class="wheel" aria-hidden="true">
      <svg viewBox="0 0 100 100">
        <circle class="paddles" cx="50" cy="50" r="45" pathLength="32" />
        <circle cx="50" cy="50" r="42" />
        <circle cx="50" cy="50" r="36" />
        <circle cx="50" cy="50" r="6" />
        <path d=${wheelSpokes} />
      </svg>
    </div>
  `;
}
