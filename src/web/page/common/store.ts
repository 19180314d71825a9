import { useEffect, useState } from 'preact/hooks';

/** A value that parts of the page share, and that notifies listeners of its changes. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** Calls the listener after each change, until the returned function is called. */
  listen(listener: () => void): () => void;
}

/** Creates a store. */
export function createStore<Value>(initial: Value): Store<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the value of a store to a component, and renders the component again when the value changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.listen(update);
  }, [store]);
  return value;
}
