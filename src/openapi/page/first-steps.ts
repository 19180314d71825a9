import { type Html, html } from '../../http/html.ts';
import { section } from './html.ts';

/** Returns the steps from a link to a finished file. */
export function firstSteps(base: string): Html {
  const address = `${base}/p1/v3/video/details?videoId=lab-plain30&renderableFormats=highres`;
  return section(
    'first-steps',
    'Quick start',
    html`
<p>Request the available media with your keys. The response contains media links in <code>contents</code> and
everything else in <code>metadata</code>:</p>
<pre tabindex="0"><code>curl -H "X-Marketplace-Key: $MILLRACE_KEY" \\
  -H "X-Marketplace-Host: $MILLRACE_HOST" \\
  '${address}'</code></pre>
<p>For each quality in <code>renderableFormats</code>, the response contains a <code>renderConfig</code> with three links
that need no key. Start the render, watch it until its last event, and download the file from the
<code>output.url</code> of that event:</p>
<pre tabindex="0"><code>curl '<var>executionUrl</var>'</code></pre>
<pre tabindex="0"><code>curl -N '<var>sseStatusUrl</var>'</code></pre>
<pre tabindex="0"><code>curl -OJ '<var>output.url</var>'</code></pre>`,
  );
}
