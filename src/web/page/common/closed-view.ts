import { html, type View } from './html.ts';

/** Shown in place of the page until the operator switches it on. */
export function ClosedView(): View {
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">This page is not switched on</h2>
      <p>
        The service runs, and answers whoever has a key. For this page, whoever operates it sets
        ${' '}<code>WEB_KEY</code> to a key of the extraction API and starts it again:
      </p>
      <pre tabindex="0"><code>EXTRACTION_KEYS=MEGA:a-key-of-the-page WEB_KEY=a-key-of-the-page npm start</code></pre>
      <p>The key stays with the service. Visitors never see it, and each of them may ask so often and no more.</p>
      <p class="actions"><a class="button" href="docs">The API, with examples</a> <a href="openapi">As OpenAPI</a></p>
    </section>
  `;
}

/** Shown over plain HTTP, where browsers do not state the origin of requests, so the service would refuse them. */
export function InsecureView(): View {
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">This page needs HTTPS</h2>
      <p>
        It is shown over plain HTTP, where browsers do not vouch for where a request comes from; so the service takes none
        of this page. Open it by its <code>https://</code> address, or, on the machine that it runs on, as
        ${' '}<code>http://localhost</code>.
      </p>
    </section>
  `;
}
