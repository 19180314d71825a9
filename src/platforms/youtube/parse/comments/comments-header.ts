import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { readText } from '../text.ts';
import { type CommentsHeader, type SortOrder, sortOrders } from './comment.ts';

/** Maximum number of sort orders. The menu has two. */
const MAX_ORDERS = 10;

/** Reads `commentsHeaderRenderer`. `countText` contains the exact number, `commentsCount` an abbreviated one. */
export function readCommentsHeader(node: unknown): CommentsHeader {
  const { countText, commentsCount, sortMenu } = fields(node);
  const entries = list(dig(sortMenu, 'sortFilterSubMenuRenderer', 'subMenuItems')).slice(0, MAX_ORDERS);
  return {
    ...countMembers('count', readText(countText) ?? readText(commentsCount)),
    ...defined({ sortOrders: unlessEmpty(entries.map(readOrder)) }),
  };
}

function readOrder(entry: unknown, place: number): SortOrder {
  const { title, selected } = fields(entry);
  return { ...defined({ sortBy: sortOrders[place], title: readText(title) }), selected: selected === true };
}
