import { type Handler, sendText } from '../../http/exchange.ts';
import { type ListName, lists } from './responses/lists.ts';
import type { Person } from './world/people.ts';

const address = 'https://static.xx.fbcdn.net/rsrc.php';

/** Returns the links of the scripts on a profile's page. */
export function scriptsOf({ further }: Person): string[] {
  const own = further === 'renumbered' ? 'renumbered' : 'profile';
  return [`${address}/v4/y3/r/first.js`, `${address}/v4i_Ga4/y1/l/en_GB-j/${own}.js`, `${address}/v4/yk/r/last.js`];
}

/** Returns the document number of an operation; the number for reels is from 2026-10. */
export function documentOf(list: ListName, further: Person['further']): string {
  const number = list === 'photos' ? '30114411441144114' : '28838816002422324';
  return further === 'renumbered' ? `77${number.slice(2)}` : number;
}

/** Handles `static.xx.fbcdn.net`: scripts whose code contains the numbers of operations. */
export const scriptHandler: Handler = (exchange) => {
  const name = /\/(first|profile|renumbered|last)\.js$/.exec(exchange.url.pathname)?.[1];
  if (name === undefined) return sendText(exchange, 404, 'There is no such script.\n');
  const further = name === 'renumbered' ? name : undefined;
  const documentIds = (['photos', 'reels'] as const).map((list) =>
    definition(`${lists[list].query}_facebookRelayOperation`, documentOf(list, further)),
  );
  const other = definition('LabQuery_facebookRelayOperation', '1111111111111111');
  const code = name === 'first' || name === 'last' ? other : `${other}${documentIds.join('')}${other}`;
  sendText(exchange, 200, `;/*FB_PKG_DELIM*/\n${code}`, { 'content-type': 'application/x-javascript; charset=utf-8' });
};

function definition(name: string, number: string): string {
  return `__d("${name}",[],(function(t,n,r,o,a,i){a.exports="${number}"}),null);`;
}
