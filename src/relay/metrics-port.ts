/** The metrics of the relay. */
export interface RelayMetrics {
  /**
   * Counts an open connection. Call the returned function once, when the connection ends, with the number of bytes
   * sent.
   */
  relayConnection(): (bytes: number) => void;
}
