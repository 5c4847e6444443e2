/** Masks what looks like personal data in texts of readers, before they reach a model or a pull request. */

const PATTERNS: readonly [RegExp, string][] = [
  [
    /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu,
    '[e-mail address left out]',
  ],
  // Cards and accounts precede phone numbers, whose pattern would match a part of them.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, '[account number left out]'],
  [/(?<![\w.])\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}(?![\w.])/g, '[card number left out]'],
  [/(?<![\w.])\d{13,19}(?![\w.])/g, '[number left out]'],
  [/(?<![\w.])(?:\+|00)\d[\d ()/.-]{6,20}\d(?!\w)/g, '[telephone number left out]'],
  [/(?<![\w.])\(?0\d{2,4}\)?[ /-]\d[\d -]{4,12}\d(?![\w.])/g, '[telephone number left out]'],
  [/(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w.-])/g, '[telephone number left out]'],
  [/(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, '[number left out]'],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|oct|AKIA)[-_]?[A-Za-z0-9_-]{16,200}\b/g, '[key left out]'],
  [/\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g, '[token left out]'],
]

export function maskPersonal(text: string): string {
  return PATTERNS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text)
}
