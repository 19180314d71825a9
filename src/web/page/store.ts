import { useEffect, useState } from 'preact/hooks';

/** A value that parts of the page share, and are told of when it changes. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** Returns how to stop. */
  listen(heard: () => void): () => void;
}

/** Makes a store. */
export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const heard of listeners) heard();
    },
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

/** The value of a store, in a component that is drawn anew when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const read = () => setValue(() => store.get());
    read();
    return store.listen(read);
  }, [store]);
  return value;
}
