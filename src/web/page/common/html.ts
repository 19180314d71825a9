import { html } from 'htm/preact';
import type { VNode } from 'preact';

export { render } from 'htm/preact';
export { html };

/** What a component returns. */
export type View = VNode | null;
