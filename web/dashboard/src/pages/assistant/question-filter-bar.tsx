/** Filters of the questions, stored in the URL so that a link shows the same list. */

import { OVERVIEW_DAYS, RESOLUTIONS } from '../../../../../src/base/api/form-choices.ts'
import type { AssistantFigures } from '../../../../../src/features/assistant/operations/questions.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/input.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, t } from '../../words/words.ts'
import {
  DEFAULT_QUESTION_DAYS,
  isNarrowed,
  languageName,
  NO_FILTERS,
  type QuestionFilters,
  RESOLUTION_LABELS,
} from './question-labels.ts'

const PERIOD_OPTIONS = [
  ...OVERVIEW_DAYS.map((days) => ({
    value: String(days),
    label: plural(days, 'Last day', 'Last {count} days'),
  })),
  { value: 'any', label: t('Any time') },
]

export function QuestionFilterBar({
  filters,
  figures,
}: {
  filters: QuestionFilters
  figures: AssistantFigures | undefined
}) {
  const [, change] = useQueryParameters()
  const set = (name: string) => (value: string) => change({ [name]: value, question: undefined })
  const choice = (
    name: 'resolution' | 'rating' | 'handed',
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <Select
      size="small"
      aria-label={label}
      value={filters[name] ?? ''}
      options={options}
      onChange={set(name)}
    />
  )
  return (
    <div class="-mx-6 flex items-center gap-2 overflow-x-auto px-6 pb-3 [scrollbar-width:none] max-md:-mx-4 max-md:px-4">
      {choice('resolution', t('Result'), resolutionOptions(filters, figures))}
      {choice('rating', t('Rating'), [
        { value: '', label: t('Any rating') },
        { value: 'down', label: t('Not helpful') },
        { value: 'up', label: t('Helpful') },
      ])}
      {choice('handed', t('Agent'), [
        { value: '', label: t('With or without an agent job') },
        { value: 'no', label: t('Without an agent job') },
        { value: 'yes', label: t('With an agent job') },
      ])}
      <Languages filters={filters} figures={figures} onChange={set('language')} />
      <Select
        size="small"
        aria-label={t('Time')}
        value={String(filters.days ?? 'any')}
        options={PERIOD_OPTIONS}
        onChange={(days) => set('days')(days === String(DEFAULT_QUESTION_DAYS) ? '' : days)}
      />
      {filters.path !== undefined && (
        <span class="inline-flex h-8 coarse:h-(--control) max-w-64 shrink-0 items-center gap-1 rounded-sm border border-accent-7 bg-accent-3 pl-2 text-13 text-accent-11">
          <span class="truncate font-mono text-12" title={filters.path}>
            <PlainText text={filters.path} />
          </span>
          <IconButton icon="x" size="small" label={t('All pages')} onClick={() => set('path')('')} />
        </span>
      )}
      {isNarrowed(filters) && (
        <Button size="small" look="quiet" onClick={() => change(NO_FILTERS)}>
          {t('Clear')}
        </Button>
      )}
    </div>
  )
}

/** Returns options with counts. The counts ignore the filters for rating, page and language. */
function resolutionOptions({ days }: QuestionFilters, figures: AssistantFigures | undefined) {
  const counts = days === null ? undefined : figures?.now
  const labelled = (label: string, value: number | undefined) =>
    value === undefined ? label : `${label} (${formatCount(value)})`
  return [
    { value: '', label: labelled(t('All questions'), counts?.questions) },
    ...RESOLUTIONS.map((resolution) => {
      const { label, count: name } = RESOLUTION_LABELS[resolution]
      return { value: resolution as string, label: labelled(label, counts?.[name]) }
    }),
  ]
}

interface LanguagesProps {
  filters: QuestionFilters
  figures: AssistantFigures | undefined
  onChange: (language: string) => void
}

function Languages({ filters: { language }, figures, onChange }: LanguagesProps) {
  const knownLanguages = figures?.languages ?? []
  const all =
    language === undefined || knownLanguages.includes(language)
      ? knownLanguages
      : [language, ...knownLanguages]
  if (all.length < 2 && language === undefined) return null
  return (
    <Select
      size="small"
      aria-label={t('Language')}
      value={language ?? ''}
      options={[
        { value: '', label: t('Any language') },
        ...all.map((code) => ({ value: code, label: languageName(code) })),
      ]}
      onChange={onChange}
    />
  )
}
