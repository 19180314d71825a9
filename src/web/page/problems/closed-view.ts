import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';

/** Shown instead of the page until the operator turns it on. */
export function ClosedView(): View {
  const { closed } = messages().problem;
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">${closed.title}</h2>
      <p>${closed.text}</p>
      <p class="actions"><a class="button primary" href="docs">${closed.documentation}</a></p>
      <details>
        <summary>${closed.operator}</summary>
        <p>${closed.howTo}</p>
        <pre tabindex="0"><code>EXTRACTION_KEYS=MEGA:a-key-of-the-page WEB_KEY=a-key-of-the-page npm start</code></pre>
        <p>${closed.key}</p>
      </details>
    </section>
  `;
}

/** Shown over plain HTTP, where browsers do not state the origin of requests, so the service would refuse them. */
export function InsecureView(): View {
  const { insecure } = messages().problem;
  const secure = location.href.replace(/^http:/, 'https:');
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">${insecure.title}</h2>
      <p>${insecure.text}</p>
      <p class="actions"><a class="button primary" href=${secure}>${insecure.open}</a></p>
      <p class="soft small">${insecure.local}</p>
    </section>
  `;
}
