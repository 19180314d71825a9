import { WebSocket } from 'ws';
import type { StatusEvent } from './http-client.ts';

/** Reads a WebSocket status stream to its end. Returns its events, and the close code of the server. */
export function listen(url: string): Promise<{ events: StatusEvent[]; code: number }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const events: StatusEvent[] = [];
    socket.on('message', (data, binary) => {
      if (binary) reject(new Error('a binary frame arrived'));
      events.push(JSON.parse(String(data)) as StatusEvent);
    });
    socket.on('close', (code) => resolve({ events, code }));
    socket.on('error', reject);
  });
}
