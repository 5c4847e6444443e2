/** Limits shared by forms and schemas. Separate from the schemas, so that browsers do not load the schema library. */

export const MAX_LABEL_NAME_CHARACTERS = 40

export const NAME_CHARACTER_LIMITS = { organization: 200, project: 200, key: 100, person: 100 } as const

export const MAX_FEEDBACK_PER_JOB = 50

export const MAX_QUESTIONS_PER_JOB = 50

export const SITE_PASSWORD_LENGTHS = { least: 8, most: 200 } as const

export const MAX_LINK_DAYS = 365

export const MAX_PREVIEW_DAYS = 90
