/**
 * Cookie set when a reader chooses a language on a hosted site. The cookie turns off redirects to the browser's
 * language.
 */
export const LANGUAGE_CHOSEN_COOKIE = 'octavo-language'
