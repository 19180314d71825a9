/** The reports that a reader has not read yet: the latest of each item. */
export interface ReportQueue<Report extends { readonly index: number }> {
  /** Adds a report, and replaces an earlier one of the same item. */
  push(report: Report): void;
  /** Removes and returns the oldest report. */
  shift(): Report | undefined;
  /** Whether no more items can start until reports are read. */
  readonly isFull: boolean;
}

/** Creates a queue. Without a reader, the oldest report is dropped when the queue is full. */
export function createReportQueue<Report extends { readonly index: number }>(
  maximum: number,
  hasReader: () => boolean,
): ReportQueue<Report> {
  const reports = new Map<number, Report>();
  const shift = () => {
    const [first] = reports;
    if (first !== undefined) reports.delete(first[0]);
    return first?.[1];
  };
  return {
    push(report) {
      reports.set(report.index, report);
      if (reports.size > maximum && !hasReader()) shift();
    },
    shift,
    get isFull() {
      return reports.size >= maximum && hasReader();
    },
  };
}
