/** A cookie of who has chosen a language on a hosted site, and is no longer led to that of the browser. */
export const LANGUAGE_CHOSEN_COOKIE = 'octavo-language'
