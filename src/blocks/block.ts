/** What a block can name. */
export const blockKinds = ['item', 'channel', 'host'] as const;

/** See {@link blockKinds}. */
export type BlockKind = (typeof blockKinds)[number];

/** Something that the operator does not serve. */
export interface BlockTarget {
  readonly kind: BlockKind;
  /** ID of the platform, such as `p1`. Empty for a host. */
  readonly platform: string;
  /** The ID of the item, the ID or `@handle` of the channel, or the host name, which includes its subdomains. */
  readonly value: string;
}

/** An entry of the block list. */
export interface Block extends BlockTarget {
  readonly id: string;
  /** The operator's reason, which callers read in their errors. */
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Null if it does not end by itself. */
  readonly expiresAt: Date | null;
}
