/** Longest texts of feedback, in characters as Unicode counts them. Apart from the schemas, so that pages need not carry those. */
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
