import { type Exchange, type Handler, sendJson } from '../http/exchange.ts';
import { type Behaviour, type BehaviourName, type LinkForm, parseBehaviour } from './behaviours.ts';
import { bytesLeft, type Life } from './life.ts';

/** The client and the item that a platform issues links for. */
export interface IssueQuery {
  readonly platform: string;
  readonly item: string;
  /** Name, version and User-Agent of the client, or its page. */
  readonly profile: string;
}

/** The links of one response of a platform. */
export interface Issue extends IssueQuery {
  /** Part of the links. */
  readonly id: string;
  readonly issuedAt: number;
  /** Milliseconds for which they are valid, if not as long as the platform's other links. */
  readonly lifetime?: number;
  /** Whether they lead to the files that the item has after it was changed. */
  readonly isResized: boolean;
  /** Returns the address that replaces the link of a file, if any. */
  addressOf(file: string): string | undefined;
}

/** A media link that a client requests. */
export interface RequestedLink {
  readonly platform: string;
  readonly item: string;
  /** ID of its {@link Issue}. */
  readonly issue: string;
  readonly file: string;
  readonly form: LinkForm;
}

/** Refusals of an item by its site. */
export type ItemRefusal = Extract<BehaviourName, 'removed' | 'private' | 'age_restricted'>;

/** The media links of the platforms, and the behaviours that are on. At first, there are none. */
export interface Links {
  /** Issues the links of a response. */
  issue(query: IssueQuery): Issue;
  /** Returns the links of an ID; undefined if there are none, or they were issued too long ago. */
  find(id: string): Issue | undefined;
  /** Returns an exchange whose response is subject to the behaviours of the requested link. */
  open(exchange: Exchange, link: RequestedLink): Exchange;
  /** Returns how the site refuses an item, if it does. */
  refusalOf(platform: string, item: string): ItemRefusal | undefined;
  /**
   * Handles `/_lab/media`: POST with a query such as `p1=dies&item=lab-plain30&at=1000` turns on a behaviour, DELETE
   * turns off all, or those of the platform and item in its query. GET lists those that are on, with their deaths.
   */
  readonly control: Handler;
}

interface Active extends Behaviour {
  /** Number of links that have died of it, by item. */
  readonly deaths: Map<string, number>;
}

/** Number of issues and of links that are remembered. */
const capacity = 10_000;
const refusals: readonly BehaviourName[] = ['removed', 'private', 'age_restricted'] satisfies readonly ItemRefusal[];

/** Creates the links of the platforms. `now` is a clock in milliseconds. */
export function createLinks(now: () => number = Date.now): Links {
  let active: readonly Active[] = [];
  let issued = 0;
  const issues = new Map<string, Issue>();
  const lives = new Map<string, Life>();

  const affecting = (name: BehaviourName, { platform, item, profile }: IssueQuery) =>
    active.filter(
      (each) =>
        each.platform === platform &&
        each.name === name &&
        (each.item ?? item) === item &&
        profile.toLowerCase().includes(each.profile ?? ''),
    );

  const lifeOf = (key: string, since: number): Life => {
    const life = lives.get(key) ?? { since, sent: 0, isDead: false };
    keep(lives, key, life);
    return life;
  };

  return {
    issue(query) {
      const lifetime = affecting('expires', query)[0]?.age;
      const moves = affecting('elsewhere', query);
      const issue: Issue = {
        ...query,
        id: `lab${++issued}`,
        issuedAt: now(),
        ...(lifetime === undefined ? {} : { lifetime }),
        isResized: affecting('resized', query).length > 0,
        addressOf: (file) => moves.find((move) => (move.file ?? file) === file)?.to,
      };
      keep(issues, issue.id, issue);
      return issue;
    },
    find: (id) => issues.get(id),
    open(exchange, link) {
      const { platform, item, file, form } = link;
      const issue = issues.get(link.issue);
      const profile = issue?.profile ?? '';
      const life = lifeOf(`${platform} ${item} ${link.issue} ${form} ${file}`, issue?.issuedAt ?? now());
      const kill = ({ deaths }: Active) => {
        life.isDead = true;
        deaths.set(item, (deaths.get(item) ?? 0) + 1);
      };
      const isAffected = (each: Behaviour) =>
        (each.country ?? exchange.country) === exchange.country &&
        (each.file ?? file) === file &&
        (each.form ?? form) === form;
      return {
        ...exchange,
        link: {
          allowed(offset, bytes) {
            if (life.isDead) return 0;
            const place = form === 'hls' ? life.sent : offset;
            const limits = (['refused', 'dies', 'first_mib'] as const)
              .flatMap((name) => affecting(name, { platform, item, profile }))
              .filter(isAffected)
              .map((each) => ({ each, left: bytesLeft(each, life, place, each.deaths.get(item) ?? 0, now()) }));
            const [first] = limits.toSorted((a, b) => a.left - b.left);
            if (first === undefined || first.left >= bytes) return bytes;
            kill(first.each);
            return first.left;
          },
          sent(bytes) {
            life.sent += bytes;
          },
        },
      };
    },
    refusalOf: (platform, item) =>
      active.find((each) => each.platform === platform && (each.item ?? item) === item && refusals.includes(each.name))
        ?.name as ItemRefusal | undefined,
    control(exchange) {
      const { searchParams } = exchange.url;
      if (exchange.request.method === 'POST') {
        active = [...active, { ...parseBehaviour(searchParams), deaths: new Map() }];
      } else if (exchange.request.method === 'DELETE') {
        const [platform, item] = [searchParams.get('platform'), searchParams.get('item')];
        active = active.filter(
          (each) => (platform ?? each.platform) !== each.platform || (item ?? each.item) !== each.item,
        );
      }
      sendJson(
        exchange,
        200,
        active.map((each) => ({ ...each, deaths: Object.fromEntries(each.deaths) })),
      );
    },
  };
}

/** Adds an entry as the most recent one. The map keeps its order of insertion, so the first one is the oldest. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > capacity && !oldest.done) map.delete(oldest.value);
}
