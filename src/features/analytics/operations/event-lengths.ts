/** Bounds of what pages tell, which their script must know without the schemas. */

/** Characters. */
export const EVENT_LENGTHS = { path: 1024, query: 200, host: 253 } as const
/** Of one batch. */
export const MAX_EVENTS = 50
/** Milliseconds. What is older was of a day whose visitors nobody can tell apart any more. */
export const MAX_EVENT_AGE = 86_400_000
