/**
 * Steps of building a site version, for measuring progress. The results of completed steps are stored, so
 * that the next attempt continues after the last completed step.
 */
import type { RenderProgress } from './render-scope.ts'

/**
 * Small enough for a step to take a fraction of a second, and large enough for pages that are rendered concurrently.
 */
const PAGES_PER_STEP = 5

/** Reached when the source files can be read. */
export const SOURCE_STEP = 1
const FIRST_PAGE_STEP = 2

/** Returns the current step while pages are rendered and laid out. */
export function stepDuringPages({ pagesDone, pagesLaidOut }: RenderProgress): number {
  return FIRST_PAGE_STEP + Math.ceil((pagesDone + pagesLaidOut) / PAGES_PER_STEP)
}

/** Returns the step reached when all files are stored. */
export function stepAfterPages(pages: number): number {
  return stepDuringPages({ pagesDone: pages, pagesTotal: pages, pagesLaidOut: pages }) + 1
}
