/** Maximum length of an event: many times the longest event of the service. */
const MAX_EVENT_LENGTH = 256 * 1024;

/** Reads the events of a stream, however it is split into chunks. */
interface EventReader {
  /**
   * Takes the next chunk; returns the data of each event that it completes.
   *
   * @throws RangeError for an event of more than 256 Ki characters.
   */
  push(text: string): string[];
}

/**
 * Opens a reader of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Only the data
 * of events is read; an event without data is ignored.
 */
export function createEventReader(): EventReader {
  let line = '';
  let data: string[] = [];
  let length = 0;
  let afterCarriageReturn = false;

  function endLine(events: string[]): void {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
      length = 0;
      return;
    }
    const value = /^data(?:: ?|$)/.exec(line);
    if (value !== null) {
      data.push(line.slice(value[0].length));
      length += line.length + 1;
    }
    line = '';
  }

  return {
    push(text) {
      const events: string[] = [];
      // CR and LF may be in different chunks.
      const chunk = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
      if (text !== '') afterCarriageReturn = text.endsWith('\r');
      const lines = chunk.split(/\r\n|\n|\r/);
      const partialLine = lines.pop() ?? '';
      for (const lineEnd of lines) {
        line += lineEnd;
        endLine(events);
      }
      line += partialLine;
      if (line.length + length > MAX_EVENT_LENGTH) throw new RangeError('an event of the stream is too long');
      return events;
    },
  };
}
