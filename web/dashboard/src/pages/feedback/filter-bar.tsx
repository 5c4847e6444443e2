/** Filters of the inbox, stored in the URL so that a link shows the same list. */

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useCommands } from '../../app/commands.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchInput, Select } from '../../ui/input.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatUtcDay } from '../../ui/time.tsx'
import { useIsPhone, useIsTight } from '../../ui/use-width.ts'
import { plural, t } from '../../words/words.ts'
import { useDebouncedInput } from '../use-debounced-input.ts'
import { FILTER_PARAMETERS, formatDay, isFiltered, PERIODS, parseDay, parseFilters } from './inbox-filters.ts'
import { BareVotesLink, SourceFilter, StatusFilter, useCounts } from './list-filters.tsx'
import { AssigneeFilter, LabelFilter } from './work-filters.tsx'

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
        {!isGrouped && <PlainFilters />}
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

/** Returns the parameters that apply to groups. */
function pickGroupParameters({ status, path, assignee, label }: ReturnType<typeof useQueryParameters>[0]) {
  return { status, path, assignee, label }
}

export function clearedFilters(): Record<string, undefined> {
  return Object.fromEntries([...FILTER_PARAMETERS, 'entry'].map((word) => [word, undefined]))
}

function PlainFilters() {
  const [parameters, change] = useQueryParameters()
  const [isDated, setDated] = useState(false)
  const { from, to } = parseFilters(parameters, Date.now())
  const isOwnRange = parameters.since === undefined && (from !== null || to !== null)
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
        value={isOwnRange ? 'own' : (parameters.since ?? '')}
        options={[
          { value: '', label: t('Any time') },
          ...PERIODS.map((days) => ({
            value: String(days),
            label: days === 1 ? t('Today') : plural(days, 'Last {count} day', 'Last {count} days'),
          })),
          {
            value: 'own',
            label: isOwnRange ? formatRange(parameters.from, parameters.to) : t('From … to …'),
          },
        ]}
        onChange={(since) => {
          if (since === 'own') setDated(true)
          else change({ since, from: undefined, to: undefined, entry: undefined })
        }}
      />
      {isOwnRange && (
        <IconButton
          icon="calendar"
          size="small"
          label={t('Change the dates')}
          onClick={() => setDated(true)}
        />
      )}
      {isDated && (
        <DateDialog
          from={parameters.from}
          to={parameters.to}
          change={change}
          onClose={() => setDated(false)}
        />
      )}
    </>
  )
}

/** Formats the range; the URL may contain anything. */
function formatRange(first: string | undefined, last: string | undefined): string {
  const [from, to] = [parseDay(first), parseDay(last)]
  if (from !== null && to !== null)
    return t('{from} to {to}', { from: formatUtcDay(from), to: formatUtcDay(to), context: 'dates' })
  if (from !== null) return t('Since {date}', { date: formatUtcDay(from) })
  return to === null ? '' : t('Until {date}', { date: formatUtcDay(to) })
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

function DateDialog({
  from,
  to,
  change,
  onClose,
}: {
  from: string | undefined
  to: string | undefined
  change: Change
  onClose: () => void
}) {
  const today = formatDay(Date.now())
  const [first, setFirst] = useState(from ?? '')
  const [last, setLast] = useState(to ?? '')
  const isTurned = first !== '' && last !== '' && first > last
  const save = () => {
    if (isTurned) return
    change({ since: undefined, from: first, to: last, entry: undefined })
    onClose()
  }
  return (
    <Dialog
      title={t('Days')}
      about={t('In UTC, both days included. Leave one empty for an open range.')}
      width="sm"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={isTurned} onClick={save}>
          {t('Show')}
        </Button>
      }
    >
      <TextField
        label={t('From', { context: 'date' })}
        type="date"
        max={today}
        value={first}
        onText={setFirst}
      />
      <TextField
        label={t('To', { context: 'date' })}
        error={isTurned ? t('The last day is before the first one.') : undefined}
        type="date"
        max={today}
        value={last}
        onText={setLast}
      />
    </Dialog>
  )
}
