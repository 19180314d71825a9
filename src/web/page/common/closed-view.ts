import { html, type View } from './html.ts';

/** Shown instead of the page until the operator turns it on. */
export function ClosedView(): View {
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">This page is turned off</h2>
      <p>
        The service is running and responds to requests with a key. To turn this page on, its operator sets
        ${' '}<code>WEB_KEY</code> to a key of the extraction API and restarts the service:
      </p>
      <pre tabindex="0"><code>EXTRACTION_KEYS=MEGA:a-key-of-the-page WEB_KEY=a-key-of-the-page npm start</code></pre>
      <p>The key stays with the service. Visitors never see it, and each of them has a rate limit.</p>
      <p class="actions"><a class="button" href="docs">API documentation with examples</a> <a href="openapi">OpenAPI documents</a></p>
    </section>
  `;
}

/** Shown over plain HTTP, where browsers do not state the origin of requests, so the service would refuse them. */
export function InsecureView(): View {
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h2 id="closed-title">This page needs HTTPS</h2>
      <p>
        It was loaded over plain HTTP, where browsers do not state the origin of requests, so the service would refuse
        them. Open its <code>https://</code> address or, on the machine that runs the service,
        ${' '}<code>http://localhost</code>.
      </p>
    </section>
  `;
}
