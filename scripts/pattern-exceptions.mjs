/** Patterns that are not linear, each with what bounds the text it is held against. */
export const EXCEPTIONS = []
