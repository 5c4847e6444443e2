/** Masks personal data in readers' texts before they reach a model or a pull request. */

const PATTERNS: readonly [RegExp, string][] = [
  [
    /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu,
    '[email address removed]',
  ],
  // Cards and accounts precede phone numbers, whose pattern would match parts of them.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, '[account number removed]'],
  [/(?<![\w.])\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}(?![\w.])/g, '[card number removed]'],
  [/(?<![\w.])\d{13,19}(?![\w.])/g, '[number removed]'],
  [/(?<![\w.])(?:\+|00)\d[\d ()/.-]{6,20}\d(?!\w)/g, '[phone number removed]'],
  [/(?<![\w.])\(?0\d{2,4}\)?[ /-]\d[\d -]{4,12}\d(?![\w.])/g, '[phone number removed]'],
  [/(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w.-])/g, '[phone number removed]'],
  [/(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, '[number removed]'],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|oct|AKIA)[-_]?[A-Za-z0-9_-]{16,200}\b/g, '[key removed]'],
  [/\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g, '[token removed]'],
]

export function maskPersonalData(text: string): string {
  return PATTERNS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text)
}
