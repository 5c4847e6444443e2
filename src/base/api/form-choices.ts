/** Closed lists used by forms and schemas. Separate from the schemas for the same reason as `form-limits.ts`. */

export const OVERVIEW_DAYS = [7, 30, 90, 365] as const
export type OverviewDays = (typeof OVERVIEW_DAYS)[number]

/** Audience filter; `all` means human readers and AI agents. */
export const INSIGHT_AUDIENCES = ['all', 'human', 'ai', 'bot'] as const
export type InsightAudience = (typeof INSIGHT_AUDIENCES)[number]

/** Lists of insights. Rising and falling pages are ranked by the difference from the previous period. */
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
  'alarm',
  'translation',
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

export const EFFORTS = ['low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

export const RUN_REASONS = {
  paused: 'The automation is paused.',
  dry_run: 'This was a dry run.',
  daily_limit: 'The daily limit of runs was reached.',
  no_change: 'There was nothing to do.',
  own_change: 'The change came from a job of this automation.',
  not_compared: 'The code changes could not be loaded.',
  job_full: 'The open job for this topic already has too many messages waiting.',
  model_unavailable: 'No AI model is configured.',
} as const

export const SAMPLE_DOMAIN = 'docs.localhost'
