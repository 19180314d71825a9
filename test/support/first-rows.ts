/** Part of a table of tests, and the options of these tests. */
interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly options: { tags: 'long'[] };
}

/**
 * Splits a table of tests that differ little: `npm test` runs the first rows, and leaves the others to the long tests.
 */
export function firstRows<Row>(count: number, table: readonly Row[]): readonly [Rows<Row>, Rows<Row>] {
  return [
    { rows: table.slice(0, count), options: { tags: [] } },
    { rows: table.slice(count), options: { tags: ['long'] } },
  ];
}
