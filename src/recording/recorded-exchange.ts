/** Header values by name, as a site or a client sent them. */
export type RecordedHeaders = Readonly<Record<string, readonly string[]>>;

/** A request to a site and its response, in the layout of the files that tests read from `RECORDINGS_DIR`. */
export interface RecordedExchange {
  readonly source: {
    /** The program that recorded the exchange, such as `millrace`. */
    readonly tool?: string;
    /** The day, as YYYY-MM-DD. */
    readonly date: string;
  };
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: RecordedHeaders;
    /** JSON as its value, any other body as text; null for a response without a body. */
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: RecordedHeaders;
    /** JSON as its value, any other body as text. */
    readonly body: unknown;
  };
}
