import { renderBench } from './render/render.ts';

/** The benchmarks by name: `npm run bench -- render`. Each prints ratios against a named peer of the same run. */
const benches: Readonly<Record<string, (rounds: number) => Promise<void>>> = { render: renderBench };

const [name = '', rounds = '5'] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- <${Object.keys(benches).join('|')}> [rounds]\n`);
  process.exitCode = 2;
} else await bench(Number(rounds));
