/** How much of a change a review page shows. */

/** Lines of one file, and of all. A browser is slow beyond it, and nobody reads that far. */
export const LINES_OF_FILE = 1500
export const LINES_OF_PAGE = 8000
/** Characters of a line that are shown, and of all lines of a page: each may need fifty to be made visible. */
export const LINE_SHOWN = 4000
export const CHARACTERS_OF_PAGE = 500_000
