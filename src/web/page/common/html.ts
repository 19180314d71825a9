import { html } from 'htm/preact';
import { options, type VNode } from 'preact';
import { isWebAddress } from './web-address.ts';

export { render } from 'htm/preact';
export { html };

/** What a component returns. */
export type View = VNode | null;

/** Members of elements with the address that a browser opens or loads. */
const addressNames = ['href', 'src', 'poster'];

// Texts never become elements. Addresses that do not lead to the web are left out.
const previous = options.vnode;
options.vnode = (node) => {
  if (typeof node.type === 'string') {
    const properties: Record<string, unknown> = node.props;
    for (const name of addressNames) {
      const address = properties[name];
      if (typeof address === 'string' && !isWebAddress(address)) delete properties[name];
    }
  }
  previous?.(node);
};
