/**
 * Maximum lengths of feedback texts in Unicode characters. In a separate module, because pages do not include the
 * schemas.
 */
export const FEEDBACK_LENGTHS = {
  path: 2048,
  reason: 200,
  comment: 5000,
  contact: 254,
  code: 10_000,
  filename: 512,
  lang: 64,
  agent: 2048,
} as const
