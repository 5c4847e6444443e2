/** Pages about earlier states, such as changelogs, whose statements do not depend on the current code. */
export const HISTORY_PAGE =
  /(?:^|\/)(?:change-?logs?|releases?|release-?notes|blog|news|migrat\w*|upgrad\w*|whats-?new|history|roadmap|archive|rfcs?|adr|changes|breaking|internal|design)(?:[\w.-]*)(?:\/|\.mdx?$)|(?:^|\/)(?:v\d+(?:\.\d+)*|[\w-]*-v\d+(?:-to-v?\d+)?)(?:\/|\.mdx?$)|(?:^|\/)(?:[\w-]*migration[\w-]*|[\w-]*upgrad[\w-]*|updates|contributors?|sponsors|licenses?|security|code_of_conduct)\.mdx?$/i

/** Matches a sentence about an earlier state, or about both states. */
export const HISTORY_SENTENCE =
  /\b(?:deprecat\w*|removed|renamed|formerly|previously|no longer|used to|legacy|replaced by|superseded|before v?\d|prior to|since v?\d|obsolete)\b/i
