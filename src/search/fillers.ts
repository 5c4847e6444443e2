/** Filler words, which are irrelevant to the topic of a query even if they are rare in the index. */

const ENGLISH =
  'a an and are as at be by can could do does for from get has have how i if in into is it its me my need of on or our should so than that the their then there these this to us use want was we what when where which who why will with would you your'
const FILLER_WORDS = new Set(ENGLISH.split(' '))

/** Checks the form of a word; always false for languages without a list. */
export function isFiller(form: string, language: string): boolean {
  return language.startsWith('en') && FILLER_WORDS.has(form)
}
