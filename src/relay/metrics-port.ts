/** The metrics of the relay. */
export interface RelayMetrics {
  /** Counts an open connection. The returned function is called once, when it ends, with the bytes sent. */
  relayConnection(): (bytes: number) => void;
}
