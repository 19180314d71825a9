import { type messages, type PGlite, parse, protocol } from '@electric-sql/pglite';

const { serialize } = protocol;

/** Statements that the engine keeps. The service has fewer; any others are planned at each call. */
const MAX_PREPARED = 256;

/** A statement that the engine has parsed. */
interface PreparedStatement {
  readonly name: string;
  /** The types of its parameters, by object id. */
  readonly types: readonly number[];
  /** Describes the columns of its rows. */
  readonly columns: readonly messages.RowDescriptionMessage[];
}

/** Runs one statement. */
type RunStatement = <Row>(text: string, parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Has an engine parse and plan each statement once, and execute it with one message. pglite's `query` parses and plans it
 * each time, with six messages: a call that pays for requests took 0.75 ms instead of 0.43 (measured 2026-11-23).
 *
 * @throws DatabaseError (the function) as pglite's `query`.
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
    // What a row is follows from the statement's text.
    return (result?.rows ?? []) as Row[];
  }

  return async <Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> => {
    if (statements.size >= MAX_PREPARED && !statements.has(text))
      return (await engine.query<Row>(text, [...parameters])).rows;
    // As pglite's `query`: not on a closed engine, not within a transaction, and not beside another statement.
    await engine._checkReady();
    return engine._runExclusiveTransaction(() => engine._runExclusiveQuery(() => execute<Row>(text, parameters)));
  };
}
