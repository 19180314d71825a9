import { apiBench, apiRows } from './api/api.ts';
import { extractBench, extractRows } from './extract/extract.ts';
import { renderBench, renderRows } from './render/render.ts';

/** A benchmark, of which some rows may be chosen. */
interface Bench {
  readonly rows: readonly string[];
  run(rounds: number, rows: readonly string[]): Promise<void>;
}

/** The benchmarks by name: `npm run bench -- render`. Each prints ratios against a named peer of the same run. */
const benches: Readonly<Record<string, Bench>> = {
  api: { rows: apiRows, run: apiBench },
  extract: { rows: extractRows, run: extractBench },
  render: { rows: renderRows, run: renderBench },
};

const [name = '', rounds = '5', ...chosen] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- <${Object.keys(benches).join('|')}> [rounds] [row ...]\n`);
  process.exitCode = 2;
} else if (chosen.some((row) => !bench.rows.includes(row))) {
  process.stderr.write(`The rows of ${name} are ${bench.rows.join(', ')}.\n`);
  process.exitCode = 2;
} else await bench.run(Number(rounds), chosen.length === 0 ? bench.rows : chosen);
