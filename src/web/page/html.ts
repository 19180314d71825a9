import { html } from 'htm/preact';
import type { VNode } from 'preact';

export { render } from 'htm/preact';
export { html };

/** What a component gives. */
export type View = VNode | null;
