/** Limits of events, in a separate module because the page script is built without the schemas. */

/** Maximum lengths in characters. */
export const EVENT_LENGTHS = { path: 1024, query: 200, host: 253 } as const
export const MAX_EVENTS = 50
/** Maximum age in milliseconds; visitors of an older day can no longer be distinguished. */
export const MAX_EVENT_AGE_MS = 86_400_000
