import { defaultRenderOptions, type RenderOptions } from '../render-options.ts';

/** Returns the options of a request for video formats, with some others set. */
export function formatsRequested(formats?: readonly string[], others: Partial<RenderOptions> = {}): RenderOptions {
  return { ...defaultRenderOptions, ...(formats === undefined ? {} : { formats }), ...others };
}
