/** Words that say nothing of what a question is about, where that is not seen from how often they stand. */

const ENGLISH =
  'a an and are as at be by can could do does for from get has have how i if in into is it its me my need of on or our should so than that the their then there these this to us use want was we what when where which who why will with would you your'
const FILLERS = new Set(ENGLISH.split(' '))

/** Only of a language that it is known of; by its form. */
export function isFiller(form: string, language: string): boolean {
  return language.startsWith('en') && FILLERS.has(form)
}
