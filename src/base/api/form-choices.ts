/** Closed lists used by forms and schemas. Separate from the schemas for the same reason as `form-limits.ts`. */

/** Periods of the overview, in days. */
export const OVERVIEW_DAYS = [7, 30, 90, 365] as const
export type OverviewDays = (typeof OVERVIEW_DAYS)[number]

/** Audience filter; `all` means people and AI agents. */
export const INSIGHT_AUDIENCES = ['all', 'human', 'ai', 'bot'] as const
export type InsightAudience = (typeof INSIGHT_AUDIENCES)[number]

/** Lists of rows. Rising and falling pages are ranked by the difference from the previous period. */
export const INSIGHT_LISTS = [
  'pages',
  'visitors',
  'rising',
  'falling',
  'referrers',
  'devices',
  'countries',
  'searches',
  'unfound',
  'clicks',
  'agents',
  'outbound',
  'copies',
] as const
export type InsightList = (typeof INSIGHT_LISTS)[number]

/**
 * Outcome of a question. `off_topic`: not about the site's content; `unfinished`: the model failed or the reader
 * left.
 */
export const RESOLUTIONS = ['answered', 'unanswered', 'off_topic', 'unfinished'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

export const LABEL_COLOURS = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const
export type LabelColour = (typeof LABEL_COLOURS)[number]

export const AUTOMATION_KINDS = [
  'schedule',
  'push',
  'feedback',
  'search',
  'broken_link',
  'webhook',
  'comment',
  'pull_request',
  'code_push',
] as const
export type AutomationKind = (typeof AUTOMATION_KINDS)[number]

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** How much a model thinks before it answers. */
export const EFFORTS = ['low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

/** Reasons why a run was skipped, as messages for people. */
export const RUN_REASONS = {
  paused: 'The automation is paused.',
  dry_run: 'It was a dry run.',
  daily_limit: 'The runs of the last 24 hours are used up.',
  no_change: 'There was nothing to do.',
  own_change: 'The change was made by a job of this automation.',
  not_compared: 'What changed in the code could not be looked up.',
  job_full: 'The open job of this topic has enough messages waiting.',
  model_unavailable: 'No AI model is configured.',
} as const

/** Domain of the sample site created on first start. */
export const SAMPLE_DOMAIN = 'docs.localhost'
