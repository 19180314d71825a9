import type { ExecutionOrder } from '../jobs/execution-url.ts';
import type { StoredOrders } from '../jobs/stored-orders.ts';

/**
 * Creates the stored orders in memory. Their number needs no limit, because one command makes only a few calls.
 *
 * @param now The clock, in milliseconds since 1970.
 */
export function createInMemoryStoredOrders(now: () => number): StoredOrders {
  const entries = new Map<string, ExecutionOrder>();
  return {
    async store(orders) {
      for (const { orderId, order } of orders) entries.set(orderId, order);
    },
    async find(orderId) {
      const order = entries.get(orderId);
      return order === undefined || order.expiresAt <= now() ? undefined : order;
    },
  };
}
