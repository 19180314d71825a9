import { apiBench, apiRows } from './api/api-bench.ts';
import { cliBench, cliRows } from './cli/cli-bench.ts';
import { extractBench, extractRows } from './extract/extract-bench.ts';
import { healBench, healRows } from './heal/heal-bench.ts';
import { idleBench, idleRows } from './idle/idle-bench.ts';
import { pageBench, pageRows } from './page/page-bench.ts';
import { renderBench, renderRows } from './render/render-bench.ts';
import { scaleBench, scaleRows } from './scale/scale-bench.ts';
import { smallBench, smallRows } from './small/small-bench.ts';
import { startBench, startRows } from './start/start-bench.ts';
import { testsBench, testsRows } from './tests/tests-bench.ts';

/** A benchmark whose rows can be selected. */
interface Bench {
  readonly rows: readonly string[];
  /** Default number of rounds, or of minutes. */
  readonly amount: number;
  run(amount: number, rows: readonly string[]): Promise<void>;
}

/** The benchmarks by name: `npm run bench -- render`. If there is a peer, they print ratios of the same run. */
const benches: Readonly<Record<string, Bench>> = {
  api: { rows: apiRows, amount: 5, run: apiBench },
  cli: { rows: cliRows, amount: 5, run: cliBench },
  extract: { rows: extractRows, amount: 5, run: extractBench },
  heal: { rows: healRows, amount: 3, run: healBench },
  idle: { rows: idleRows, amount: 3, run: idleBench },
  page: { rows: pageRows, amount: 5, run: pageBench },
  render: { rows: renderRows, amount: 5, run: renderBench },
  scale: { rows: scaleRows, amount: 3, run: scaleBench },
  start: { rows: startRows, amount: 5, run: startBench },
  small: { rows: smallRows, amount: 5, run: smallBench },
  tests: { rows: testsRows, amount: 1, run: testsBench },
};

const [name = '', ...words] = process.argv.slice(2);
const bench = benches[name];
const amount = words.find((word) => Number(word) > 0);
const selectedRows = words.filter((word) => word !== amount);
if (bench === undefined) {
  const names = Object.keys(benches).join('|');
  process.stderr.write(`Usage: npm run bench -- <${names}> [rounds; for scale: minutes] [row ...]\n`);
  process.exitCode = 2;
} else if (selectedRows.some((row) => !bench.rows.includes(row))) {
  process.stderr.write(`The rows of ${name} are ${bench.rows.join(', ')}.\n`);
  process.exitCode = 2;
} else await bench.run(Number(amount ?? bench.amount), selectedRows.length === 0 ? bench.rows : selectedRows);
