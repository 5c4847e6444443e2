/**
 * Progress of building a site version, in steps. Completed steps are in the store and are found by the next attempt,
 * so an attempt that got further leaves less to do.
 */
import type { RenderProgress } from './render-scope.ts'

/** Few enough for a fraction of a second of work, but enough that concurrently rendered pages share a step. */
const PAGES_PER_STEP = 5

/** The source files can be read. */
export const SOURCE_STEP = 1
const FIRST_PAGE_STEP = 2

/** The site is loaded; its pages are rendered, then laid out. */
export function stepAmongPages({ pagesDone, pagesLaidOut }: RenderProgress): number {
  return FIRST_PAGE_STEP + Math.ceil((pagesDone + pagesLaidOut) / PAGES_PER_STEP)
}

/** All files are completely stored. */
export function stepAfterPages(pages: number): number {
  return stepAmongPages({ pagesDone: pages, pagesTotal: pages, pagesLaidOut: pages }) + 1
}
