/** Links in different formats that name the same. */
export interface LinkForms {
  /** What they name, as blocks compare it: `item/dQw4w9WgXcQ`, `channel/@name`. Empty for short links and hashtags. */
  readonly names: readonly string[];
  readonly links: readonly string[];
}
