/** Labels for the results of questions, and the filters in the URL. */

import {
  OVERVIEW_DAYS,
  type OverviewDays,
  RESOLUTIONS,
  type Resolution,
} from '../../../../../src/base/api/form-choices.ts'
import type {
  AskedCounts,
  AskedQuestionsQuery,
} from '../../../../../src/features/assistant/operations/questions.ts'
import { type QueryParameters, stringifySearch } from '../../app/query-parameters.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { language, t } from '../../words/words.ts'

interface ResolutionLabels {
  label: string
  icon: IconName
  tone: string
  count: keyof AskedCounts
  about: string
}

export const RESOLUTION_LABELS: Record<Resolution, ResolutionLabels> = {
  answered: {
    label: t('Answered'),
    icon: 'circle-check',
    tone: 'text-success',
    count: 'answered',
    about: '',
  },
  unanswered: {
    label: t('Unanswered'),
    icon: 'circle-help',
    tone: 'text-warning',
    count: 'unanswered',
    about: t('The docs do not answer this, and the assistant said so.'),
  },
  off_topic: {
    label: t('Off topic'),
    icon: 'circle-x',
    tone: 'text-faint',
    count: 'offTopic',
    about: t(
      'The model considered this unrelated to these docs. The assistant said that they do not cover it.',
    ),
  },
  unfinished: {
    label: t('Unfinished'),
    icon: 'circle-alert',
    tone: 'text-danger',
    count: 'unfinished',
    about: t('The answer was cut short: the model failed, or the reader stopped it.'),
  },
}

export const DEFAULT_QUESTION_DAYS: OverviewDays = 30

/** Filters in the URL. `any` as the number of days represents the whole retention period. */
export type QuestionFilters = Pick<
  AskedQuestionsQuery,
  'resolution' | 'rating' | 'handed' | 'path' | 'language'
> & {
  days: OverviewDays | null
}

export function parseQuestionFilters(parameters: QueryParameters): QuestionFilters {
  const { resolution, rating, handed, path, language, days } = parameters
  const known = {
    resolution: RESOLUTIONS.find((one) => one === resolution),
    rating: (['up', 'down'] as const).find((one) => one === rating),
    handed: (['yes', 'no'] as const).find((one) => one === handed),
    path: path?.slice(0, 1024) || undefined,
    language: language?.slice(0, 35) || undefined,
  }
  return {
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as object),
    days:
      days === 'any' ? null : (OVERVIEW_DAYS.find((one) => String(one) === days) ?? DEFAULT_QUESTION_DAYS),
  }
}

export function isNarrowed({ days, ...rest }: QuestionFilters): boolean {
  return Object.keys(rest).length > 0 || days !== DEFAULT_QUESTION_DAYS
}

export const NO_FILTERS = {
  ...{ resolution: undefined, rating: undefined, handed: undefined },
  ...{ path: undefined, language: undefined, days: undefined, question: undefined },
}

export function buildQuestionsHref(
  projectId: string,
  filters: Partial<QuestionFilters>,
  question?: string,
): string {
  const { days = DEFAULT_QUESTION_DAYS, ...rest } = filters
  const shown = days === DEFAULT_QUESTION_DAYS ? undefined : (days ?? 'any')
  return `/p/${projectId}/assistant${stringifySearch({ ...rest, days: shown, question })}`
}

const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' })

/** Falls back to the code, because a site may use an unknown language. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
