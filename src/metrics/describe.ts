import type { Registry } from 'prom-client';

/** What every metric begins with: its name behind `millrace_`, what it tells, and its labels. */
export type Describe = <Label extends string>(
  name: string,
  help: string,
  ...labelNames: Label[]
) => {
  readonly name: string;
  readonly help: string;
  readonly labelNames: Label[];
  readonly registers: Registry[];
};
