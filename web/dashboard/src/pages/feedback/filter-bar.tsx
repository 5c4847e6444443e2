/** Filters of the inbox, stored in the URL so that a link shows the same list. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useUser } from '../../app/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SearchInput, Select } from '../../ui/input.tsx'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useIsPhone, useIsTight } from '../../ui/use-width.ts'
import { plural, t } from '../../words/words.ts'
import { DateFilter } from '../date-filter.tsx'
import { useDebouncedInput } from '../use-debounced-input.ts'
import { FILTER_PARAMETERS, isFiltered, PERIODS, parseFilters } from './inbox-filters.ts'
import { BareVotesLink, SourceFilter, StatusFilter, useCounts } from './list-filters.tsx'
import { useLabels } from './work-marks.tsx'

type Change = ReturnType<typeof useQueryParameters>[1]

export function FilterBar({ projectId, isGrouped }: { projectId: string; isGrouped: boolean }) {
  const [parameters, change] = useQueryParameters()
  const counts = useCounts(projectId, parameters)
  return (
    <div class="flex flex-wrap items-center gap-2 pb-3">
      {!isGrouped && <TextFilter text={parameters.q ?? ''} change={change} />}
      <Folded count={FILTER_PARAMETERS.filter((word) => word !== 'q' && parameters[word]).length}>
        <StatusFilter counts={counts} />
        {!isGrouped && <SourceFilter counts={counts} />}
        <AssigneeFilter />
        <LabelFilter projectId={projectId} />
        {!isGrouped && <EntryFilters />}
      </Folded>
      {parameters.path !== undefined && (
        <span class="inline-flex h-8 coarse:h-(--control) max-w-64 shrink-0 items-center gap-1 rounded-sm border border-accent-7 bg-accent-3 pl-2 text-13 text-accent-11">
          <span class="truncate font-mono text-12" title={parameters.path}>
            <PlainText text={parameters.path} />
          </span>
          <IconButton
            icon="x"
            size="small"
            label={t('All pages')}
            onClick={() => change({ path: undefined, entry: undefined })}
          />
        </span>
      )}
      {isFiltered(isGrouped ? pickGroupParameters(parameters) : parameters) && (
        <Button size="small" look="quiet" onClick={() => change(clearedFilters())}>
          {t('Clear')}
        </Button>
      )}
      {!isGrouped && <BareVotesLink projectId={projectId} counts={counts} />}
    </div>
  )
}

/** Collapses the filters behind a button with their count when space is limited, so that the list stays in view. */
function Folded({ count: used, children }: { count: number; children: ComponentChildren }) {
  const isTight = useIsTight()
  const [isOpen, setOpen] = useState(false)
  if (!isTight) return children
  return (
    <>
      <Button icon="list-filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {used === 0 ? t('Filters') : t('Filters: {count}', { count: used })}
      </Button>
      {isOpen && <div class="order-last flex w-full flex-wrap gap-2">{children}</div>}
    </>
  )
}

function pickGroupParameters({ status, path, assignee, label }: ReturnType<typeof useQueryParameters>[0]) {
  return { status, path, assignee, label }
}

export function clearedFilters(): Record<string, undefined> {
  return Object.fromEntries([...FILTER_PARAMETERS, 'entry'].map((word) => [word, undefined]))
}

function EntryFilters() {
  const [parameters, change] = useQueryParameters()
  const [isAsked, setAsked] = useState(false)
  const { from, to } = parseFilters(parameters, Date.now())
  const isDated = parameters.since === undefined && (isAsked || from !== null || to !== null)
  return (
    <>
      <Select
        size="small"
        aria-label={t('Vote')}
        value={parameters.vote ?? ''}
        options={[
          { value: '', label: t('Any vote') },
          { value: 'down', label: t('Not helpful') },
          { value: 'up', label: t('Helpful') },
        ]}
        onChange={(vote) => change({ vote, entry: undefined })}
      />
      <Select
        size="small"
        aria-label={t('Time')}
        value={isDated ? 'own' : (parameters.since ?? '')}
        options={[
          { value: '', label: t('Any time') },
          ...PERIODS.map((days) => ({
            value: String(days),
            label: days === 1 ? t('Today') : plural(days, 'Last {count} day', 'Last {count} days'),
          })),
          { value: 'own', label: t('From … to …') },
        ]}
        onChange={(next) => {
          setAsked(next === 'own')
          const since = next === 'own' ? undefined : next
          change({ since, from: undefined, to: undefined, entry: undefined })
        }}
      />
      {isDated && (
        <>
          <DateFilter
            label={t('From', { context: 'date' })}
            date={parameters.from ?? ''}
            onChange={(date) => change({ from: date, since: undefined, entry: undefined }, { replace: true })}
          />
          <DateFilter
            label={t('To', { context: 'date' })}
            date={parameters.to ?? ''}
            onChange={(date) => change({ to: date, since: undefined, entry: undefined }, { replace: true })}
          />
        </>
      )}
    </>
  )
}

function TextFilter({ text, change }: { text: string; change: Change }) {
  const [typed, setTyped] = useDebouncedInput(text, (q) => change({ q, entry: undefined }, { replace: true }))
  const field = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  useCommands([
    {
      id: 'feedback-search',
      label: t('Search in feedback'),
      keys: '/',
      group: 'feedback',
      icon: 'search',
      run: () => field.current?.focus(),
    },
  ])
  return (
    <SearchInput
      class="max-w-56 min-w-36 flex-1 max-md:max-w-none"
      inputRef={field}
      aria-label={t('Search in feedback')}
      placeholder={isPhone ? t('Search') : t('Search text, path, code')}
      maxLength={200}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onClear={() => setTyped('')}
    />
  )
}

const ME = 'me'
const NONE = 'none'

function AssigneeFilter() {
  const me = useUser()
  const [parameters, change] = useQueryParameters()
  const { data } = useQuery(internalQuery('listMembers'))
  const others = (data?.members ?? []).filter(({ userId }) => userId !== me.id)
  const options = [
    { value: ME, label: t('Me'), icon: 'user' as const },
    { value: NONE, label: t('Nobody'), icon: 'x' as const },
    ...others.map(({ userId, name }) => ({ value: userId, label: name, icon: 'user' as const })),
  ]
  return (
    <MultiValueFilter
      label={t('Assignee')}
      all={t('Any assignee')}
      options={options}
      word={parameters.assignee}
      onChange={(assignee) => change({ assignee, entry: undefined })}
    />
  )
}

function LabelFilter({ projectId }: { projectId: string }) {
  const [parameters, change] = useQueryParameters()
  const labels = useLabels(projectId)
  if (labels.length === 0 && parameters.label === undefined) return null
  const options = [
    ...labels.map(({ id, name }) => ({ value: id, label: name, icon: 'tag' as const })),
    { value: NONE, label: t('Without labels'), icon: 'x' as const },
  ]
  return (
    <MultiValueFilter
      label={t('Label', { context: 'of feedback' })}
      all={t('Any label')}
      options={options}
      word={parameters.label}
      onChange={(label) => change({ label, entry: undefined })}
    />
  )
}

interface MultiValueFilterProps {
  label: string
  all: string
  options: readonly { value: string; label: string; icon: 'user' | 'tag' | 'x' }[]
  word: string | undefined
  onChange: (word: string | undefined) => void
}

/**
 * Multi-value filter of the URL; an empty selection means no filter. Deleted values remain part of the filter, so
 * that an old link never shows more than it was meant to.
 */
function MultiValueFilter({ label, all, options, word, onChange }: MultiValueFilterProps) {
  const chosen = word ? word.split(',') : []
  const unknown = chosen.filter((value) => !options.some((option) => option.value === value))
  const shown = [...options, ...unknown.map((value) => ({ value, label: t('Deleted'), icon: 'x' as const }))]
  const words = shown.filter(({ value }) => chosen.includes(value)).map((option) => option.label)
  return (
    <MultiSelect
      label={label}
      words={words.length === 0 ? all : words.join(', ')}
      options={shown}
      chosen={chosen}
      onChange={(values) => onChange(values.length === 0 ? undefined : values.join(','))}
    />
  )
}
