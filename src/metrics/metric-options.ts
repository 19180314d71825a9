import type { Registry } from 'prom-client';

/** Returns the options that all kinds of metrics have. The name is the part after `millrace_`. */
export type MetricOptionsOf = <Label extends string>(
  name: string,
  help: string,
  ...labelNames: Label[]
) => {
  readonly name: string;
  readonly help: string;
  readonly labelNames: Label[];
  readonly registers: Registry[];
};
