import { describe, expect, test } from 'vitest';
import { type BoundedPool, createBoundedPool, type PoolMember } from './bounded-pool.ts';

interface TestMember extends PoolMember {
  readonly name: string;
  waiting: boolean;
}

/** Creates a pool whose members record when they are closed. */
function poolOf(max: number, maxPerClient: number) {
  const pool: BoundedPool<TestMember> = createBoundedPool(max, maxPerClient);
  const closed: string[] = [];
  const open = (name: string, ...[client = name, ...wider]: string[]) => {
    const member: TestMember = {
      name,
      client: [client, ...wider],
      waiting: true,
      isWaiting: () => member.waiting,
      close() {
        closed.push(name);
        pool.remove(member);
      },
    };
    return { member, refusal: pool.admit(member) };
  };
  return { pool, closed, open };
}

describe('a full pool', () => {
  test('closes the connection that has waited longest', () => {
    const { pool, closed, open } = poolOf(3, 3);
    const [a, b] = [open('a'), open('b'), open('c')];
    a.member.waiting = false;
    expect(open('d').refusal).toBeUndefined();
    expect(closed).toEqual(['b']);
    expect([pool.size, pool.has(a.member), pool.has(b.member)]).toEqual([3, true, false]);
  });

  test('moves a connection that starts to wait again behind those already waiting', () => {
    const { pool, closed, open } = poolOf(2, 2);
    const [a] = [open('a'), open('b')];
    a.member.waiting = false;
    open('c');
    a.member.waiting = true;
    pool.markWaiting(a.member);
    open('d');
    open('e');
    expect(closed).toEqual(['b', 'c', 'a']);
  });

  test('refuses new connections while all have responses in progress, until one leaves', () => {
    const { pool, closed, open } = poolOf(2, 2);
    const members = [open('a'), open('b')].map(({ member }) => member);
    for (const member of members) member.waiting = false;
    expect(open('c').refusal).toBe('full');
    for (const member of members.slice(1)) pool.remove(member);
    expect(open('d').refusal).toBeUndefined();
    expect(closed).toEqual([]);
  });
});

describe('a client at its limit', () => {
  test('replaces its own connections and no others', () => {
    const { closed, open } = poolOf(10, 2);
    open('other', 'y');
    for (const name of ['a', 'b', 'c', 'd']) expect(open(name, 'x').refusal).toBeUndefined();
    expect(closed).toEqual(['a', 'b']);
  });

  test('is refused while all its connections have responses in progress; other clients are not', () => {
    const { closed, open } = poolOf(10, 2);
    for (const name of ['a', 'b']) open(name, 'x').member.waiting = false;
    expect([open('c', 'x').refusal, open('d', 'y').refusal]).toEqual(['share', undefined]);
    expect(closed).toEqual([]);
  });

  test('can replace its only connection', () => {
    const { pool, closed, open } = poolOf(10, 1);
    for (const name of ['a', 'b', 'c']) expect(open(name, 'x').refusal).toBeUndefined();
    expect([closed, pool.size]).toEqual([['a', 'b'], 1]);
  });

  test('is never a proxy, because proxies have no limit', () => {
    const { pool, open } = poolOf(10, 1);
    for (const name of ['a', 'b', 'c']) {
      const member: PoolMember = { client: undefined, isWaiting: () => true, close: () => undefined };
      expect([name, pool.admit({ ...member, name, waiting: true })]).toEqual([name, undefined]);
    }
    expect([pool.size, open('d', 'x').refusal]).toEqual([3, undefined]);
  });
});

describe('a wider network at its limit', () => {
  test('is refused further connections of all its clients while they have responses in progress', () => {
    const { pool, open } = poolOf(100, 2);
    const refusalOf = (small: number, middle: string) => {
      const { member, refusal } = open(`${small}`, `${small}`, middle, 'wide');
      member.waiting = false;
      return refusal;
    };
    const middles = Array.from({ length: 9 }, (_, small) => refusalOf(small, 'a'));
    expect(middles).toEqual([...Array(8).fill(undefined), 'share']);
    const wide = Array.from({ length: 25 }, (_, small) => refusalOf(small + 10, `b${small}`));
    expect(wide).toEqual([...Array(24).fill(undefined), 'share']);
    expect([open('y').refusal, pool.size]).toEqual([undefined, 33]);
  });

  test('is at most half of the pool', () => {
    const { closed, open } = poolOf(10, 2);
    open('y');
    for (const small of ['1', '2', '3', '4', '5', '6']) open(small, small, 'a', 'wide');
    expect(closed).toEqual(['1']);
  });
});

test('removing a connection twice frees its slot only once', () => {
  const { pool, open } = poolOf(2, 1);
  const { member } = open('a', 'x');
  open('b', 'y');
  pool.remove(member);
  pool.remove(member);
  pool.markWaiting(member);
  expect(pool.size).toBe(1);
});
