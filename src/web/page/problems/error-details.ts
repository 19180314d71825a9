import { MillraceApiError } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { messages } from '../language/language.ts';

/** What the service reported about a failure. */
interface FailureFacts {
  readonly message: string | undefined;
  readonly code: string | undefined;
  readonly requestId?: string | undefined;
}

/** Shows what the service reported about a failed request. */
export function ErrorDetails({ error }: { error: unknown }): View {
  return error instanceof MillraceApiError ? html`<${FailureDetails} ...${factsOf(error)} />` : null;
}

/** Shows what the service reported, for people who want to know more or who report the problem. */
export function FailureDetails({ message, code, requestId }: FailureFacts): View {
  const { details, copied } = messages().problem;
  const rows = [
    [details.message, message],
    [details.code, code],
    [details.requestId, requestId],
  ].filter(([, value]) => value !== undefined);
  const copy = async () => {
    await navigator.clipboard.writeText(rows.map(([name, value]) => `${name}: ${value}`).join('\n'));
    announce(copied);
  };
  if (rows.length === 0) return null;
  return html`
    <details>
      <summary>${details.title}</summary>
      <dl class="small">${rows.map(([name, value]) => html`<dt class="soft">${name}</dt><dd>${value}</dd>`)}</dl>
      ${
        navigator.clipboard === undefined
          ? null
          : html`<button type="button" onClick=${() => void copy()}><${Icon} name="copy" /> ${details.copy}</button>`
      }
    </details>
  `;
}

function factsOf({ message, code, requestId }: MillraceApiError): FailureFacts {
  return { message, code, requestId };
}
