/** Limits of events, for the page script, which is built without the schemas. */

/** Maximum lengths in characters. */
export const EVENT_LENGTHS = { path: 1024, query: 200, host: 253 } as const
/** Maximum number of events per batch. */
export const MAX_EVENTS = 50
/** Maximum age in milliseconds: the visitors of an older day can no longer be distinguished. */
export const MAX_EVENT_AGE = 86_400_000
