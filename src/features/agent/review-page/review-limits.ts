/** Limits of the review page. */

/** Maximum number of lines per file, and in total. Beyond them browsers get slow, and nobody reads that far. */
export const LINES_OF_FILE = 1500
export const LINES_OF_PAGE = 8000
/**
 * Maximum number of characters shown per line, and of all lines of a page: an invisible character may take fifty to
 * display.
 */
export const LINE_SHOWN = 4000
export const CHARACTERS_OF_PAGE = 500_000
