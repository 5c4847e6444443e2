/** Limits that a form says and a schema checks. Apart from the schemas, whose library a browser would load with them. */

export const LABEL_CHARACTERS = 40

/** Of the longest name. */
export const NAME_CHARACTERS = { organization: 200, project: 200, key: 100, person: 100 } as const

/** Entries of feedback that one job may answer. */
export const MAX_FEEDBACK_PER_JOB = 50

/** Questions of readers that one job may answer. */
export const MAX_QUESTIONS_PER_JOB = 50

export const SITE_PASSWORD_LENGTHS = { least: 8, most: 200 } as const

export const MOST_LINK_DAYS = 365

export const MOST_PREVIEW_DAYS = 90
