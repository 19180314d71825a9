import type { DeliveryAttempt } from '../../../src/contract/deliveries.ts';
import type { PreviewInput, PreviewProblem, RenderPreview } from '../../../src/contract/render-preview.ts';
import type { ExtractionResponse } from './extraction.ts';

// Former names of types, for programs that still use them.

/** @deprecated Renamed to {@link ExtractionResponse}. */
export type Answer = ExtractionResponse;

/** @deprecated Renamed to {@link DeliveryAttempt}. */
export type DeliveryTry = DeliveryAttempt;

/** @deprecated Renamed to {@link PreviewInput}. */
export type PlannedInput = PreviewInput;

/** @deprecated Renamed to {@link PreviewProblem}. */
export type PlanProblem = PreviewProblem;

/** @deprecated Renamed to {@link RenderPreview}. */
export type RenderPlan = RenderPreview;
