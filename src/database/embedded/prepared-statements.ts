import { type messages, type PGlite, parse, protocol } from '@electric-sql/pglite';

const { serialize } = protocol;

/** Maximum prepared statements of the engine. The service has fewer; any others are planned at each call. */
const MAX_PREPARED = 256;

/** A statement that the engine has parsed. */
interface PreparedStatement {
  readonly name: string;
  /** The types of its parameters, by object ID. */
  readonly types: readonly number[];
  /** Describes the columns of its rows. */
  readonly columns: readonly messages.RowDescriptionMessage[];
}

/** Runs one statement. */
type RunStatement = <Row>(text: string, parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Makes an engine parse and plan each statement once, and execute it with one message. pglite's `query` parses and
 * plans it each time, with six messages. A call that debits credits took 0.75 ms with `query`, and 0.43 ms without
 * (measured 2026-11-23).
 *
 * @throws DatabaseError (from the returned function), like pglite's `query`.
 */
export function prepareStatements(engine: PGlite): RunStatement {
  const statements = new Map<string, PreparedStatement>();
  let last = 0;

  async function prepare(text: string): Promise<PreparedStatement> {
    last += 1;
    const name = `s${last}`;
    const response = await engine.execProtocolStream(
      Buffer.concat([serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()]),
    );
    const columns = response.filter((message) => message.name === 'rowDescription') as messages.RowDescriptionMessage[];
    const statement = { name, types: parse.parseDescribeStatementResults(response), columns };
    statements.set(text, statement);
    return statement;
  }

  async function execute<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    const { name, types, columns } = statements.get(text) ?? (await prepare(text));
    const values = parameters.map((value, index) => {
      if (value === null || value === undefined) return null;
      const serializer = engine.serializers[types[index] ?? 0];
      return serializer === undefined ? String(value) : serializer(value);
    });
    const response = await engine.execProtocolStream(
      Buffer.concat([serialize.bind({ statement: name, values }), serialize.execute(), serialize.sync()]),
    );
    const [result] = parse.parseResults([...columns, ...response], engine.parsers);
    // The statement's text determines the type of the rows.
    return (result?.rows ?? []) as Row[];
  }

  return async <Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> => {
    if (statements.size >= MAX_PREPARED && !statements.has(text))
      return (await engine.query<Row>(text, [...parameters])).rows;
    // As with pglite's `query`, the statement fails on a closed engine, and waits for transactions and other statements
    // that are running.
    await engine._checkReady();
    return engine._runExclusiveTransaction(() => engine._runExclusiveQuery(() => execute<Row>(text, parameters)));
  };
}
