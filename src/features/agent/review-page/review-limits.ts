/** Limits of the review page. */

/** Maximum number of lines per file, and in total. Beyond them browsers get slow, and nobody reads that far. */
export const MAX_FILE_LINES = 1500
export const MAX_PAGE_LINES = 8000
/**
 * Maximum number of characters shown per line, and of all lines of a page: an invisible character may take fifty to
 * display.
 */
export const MAX_LINE_CHARACTERS = 4000
export const MAX_PAGE_CHARACTERS = 500_000
