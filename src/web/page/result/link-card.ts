import { useEffect, useRef, useState } from 'preact/hooks';
import { isCollection } from '#client/index.ts';
import { type Entry, entryOfQuery } from '../collection/entry.ts';
import { createLimiter } from '../collection/limiter.ts';
import { SelectBox } from '../collection/select-box.ts';
import type { Selection } from '../collection/selection.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { Picture } from '../common/picture.ts';
import { messages } from '../language/language.ts';
import { describeError } from '../problems/error-text.ts';
import { describeLink } from '../query/describe-link.ts';
import { fetchResult } from '../query/fetch-result.ts';
import { authorOf, factsOf, titleOf } from '../query/media-facts.ts';
import { addressOf, type Query } from '../query/query.ts';
import { QueryLink } from '../query/query-link.ts';
import type { QueryResult } from '../query/query-result.ts';
import { liveStateOf } from './live-state.ts';

/** Requests at a time: visitors have a rate limit. */
const limit = createLimiter(2);

interface LinkCardProps {
  readonly query: Query;
  readonly selection: Selection;
  /** Called with the title and the picture once they are loaded; `failed` if there is nothing to download. */
  readonly onDetails: (entry: Entry | 'failed') => void;
}

type Details = { readonly state: 'loading' } | ({ readonly state: 'loaded' } & QueryResult) | Failure;
interface Failure {
  readonly state: 'failed';
  readonly error: unknown;
}

/** Shows the target of a link. Its details are fetched when the card comes into view. */
export function LinkCard({ query, selection, onDetails }: LinkCardProps): View {
  const [details, setDetails] = useState<Details>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const fetchDetails = async () => {
      setDetails({ state: 'loading' });
      try {
        const source = await limit(() => fetchResult(query, { signal }), signal);
        setDetails({ state: 'loaded', ...source });
        if (liveStateOf(source.result) !== undefined) onDetails('failed');
        else onDetails(entryOfQuery(query, titleOf(source.result), source.result.metadata.thumbnailUrl));
      } catch (error) {
        if (signal.aborted) return;
        setDetails({ state: 'failed', error });
        onDetails('failed');
      }
    };
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void fetchDetails();
    });
    if (card.current !== null) observer.observe(card.current);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [attempt]);
  const { list } = messages();
  const key = addressOf(query);
  const live = details.state === 'loaded' ? liveStateOf(details.result) : undefined;
  const title =
    details.state === 'loaded' && details.result.metadata.title !== undefined ? titleOf(details.result) : query.text;
  return html`
    <li class="card" ref=${card} data-selected=${selection.keys.has(key)}>
      <div class="cover">
        <${Cover} details=${details} />
        ${live === undefined ? null : html`<span class="corner badge live">${live.state === 'live' ? list.live : list.upcoming}</span>`}
      </div>
      <p class="name" dir="auto"><${QueryLink} to=${query.text}>${title}<//></p>
      <${Facts} query=${query} details=${details} />
      ${
        details.state === 'failed'
          ? html`<${FailureText} error=${details.error} onRetry=${() => setAttempt(attempt + 1)} />`
          : null
      }
      ${isCollection(query.link) || details.state === 'failed' || live !== undefined ? null : html`<${SelectBox} selection=${selection} value=${key} title=${title} />`}
    </li>
  `;
}

function Cover({ details }: { details: Details }): View {
  if (details.state === 'loading') return html`<span class="skeleton wide"></span>`;
  const picture = details.state === 'loaded' ? details.result.metadata.thumbnailUrl : undefined;
  if (picture === undefined) return html`<span class="empty"><${Icon} name="link" /></span>`;
  return html`<${Picture} src=${picture} shape="wide" />`;
}

function Facts({ query: { link }, details }: { query: Query; details: Details }): View {
  const author = details.state === 'loaded' ? authorOf(details.result) : undefined;
  const facts = details.state === 'loaded' ? factsOf(details.result) : [];
  return html`
    ${author === undefined ? null : html`<p class="author soft small"><bdi>${author.name}</bdi></p>`}
    <p class="soft small">${[describeLink(link), ...facts].join(' · ')}</p>
  `;
}

function FailureText({ error, onRetry }: { error: unknown; onRetry: () => void }): View {
  const { title, text, retryable } = describeError(error);
  return html`
    <p class="why small"><strong>${title}</strong> ${text}</p>
    ${
      retryable
        ? html`<p class="card-action"><button type="button" class="plain" onClick=${onRetry}>${messages().list.pasted.tryAgain}</button></p>`
        : null
    }
  `;
}
