/**
 * How far the building of a site version has come, as steps. What is behind a step is in the store and is found by the
 * next attempt, so one that comes further leaves less to do.
 */
import type { RenderProgress } from './render-scope.ts'

/** Few enough for a fraction of a second of work; so many that those rendered at the same time lie in one. */
const PAGES_OF_STEP = 5

/** The files of the source can be read. */
export const SOURCE_STEP = 1
const FIRST_PAGE_STEP = 2

/** The site is loaded; its pages are rendered, then laid out. */
export function stepAmongPages({ pagesDone, pagesLaidOut }: RenderProgress): number {
  return FIRST_PAGE_STEP + Math.ceil((pagesDone + pagesLaidOut) / PAGES_OF_STEP)
}

/** Every file is in the store and whole. */
export function stepBehindPages(pages: number): number {
  return stepAmongPages({ pagesDone: pages, pagesTotal: pages, pagesLaidOut: pages }) + 1
}
