/** Whom the service sends a request to a site for. Callers take turns where they share a limit. */
export interface Caller {
  /** The account. All visitors of the page share the account of its key, so together they have one turn in each round. */
  readonly account: string;
  /** Tells the callers of an account apart: the account itself, or `<account>/<visitor>`. */
  readonly key: string;
}

/** The caller of requests that the service sends for itself, such as probes. */
export const serviceCaller: Caller = { account: 'service', key: 'service' };

/** Whether a caller is a visitor of the page, who needs no key. */
export function isVisitor({ account, key }: Caller): boolean {
  return account !== key;
}
