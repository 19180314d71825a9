import { type Handler, sendText } from '../../../http/exchange.ts';
import { topics } from '../../headlines.ts';

/** Handles `/complete/search`: completions of a text. Without `xhr` the response is a script. */
export const suggestionHandler: Handler = (exchange) => {
  const { searchParams } = exchange.url;
  const query = searchParams.get('q') ?? '';
  const before = searchParams.get('pq');
  const ends = query === 'labnothing' ? [] : ['', ...topics.slice(0, 8), ...(before === null ? [] : [before])];
  const list = ends.map((end) => [`${query} ${end}`.trim(), 0, [512, 433]]);
  const json = JSON.stringify([query, list, { k: 1, q: 'lab' }]);
  const xhr = searchParams.get('xhr') === 't';
  const type = xhr ? 'application/json; charset=UTF-8' : 'text/javascript; charset=UTF-8';
  sendText(exchange, 200, xhr ? json : `window.google.ac.h(${json})`, { 'content-type': type });
};
