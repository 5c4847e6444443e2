/** Multi-value filters with counts, and a link to the votes that have no comment. */

import { useQuery } from '@tanstack/react-query'
import type {
  FeedbackSource,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type { FeedbackCounts } from '../../../../../src/features/feedback/operations/inbox.ts'
import { internalQuery } from '../../api/internal.ts'
import { type QueryParameters, useQueryParameters } from '../../app/query-parameters.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { plural, t } from '../../words/words.ts'
import { isFiltered, parseFilters, toQuery } from './inbox-filters.ts'
import { OPEN_STATUSES, SOURCE_NAMES, SOURCES, STATUSES, statusLabel, TEXT_SOURCES } from './labels.ts'

export type Counts = FeedbackCounts | undefined

export function useCounts(projectId: string, parameters: QueryParameters): Counts {
  const { path, dateFrom, dateTo } = toQuery(parseFilters(parameters, Date.now()))
  const query = {
    ...(path === undefined ? {} : { path }),
    ...(dateFrom === undefined ? {} : { dateFrom }),
    ...(dateTo === undefined ? {} : { dateTo }),
  }
  const { data } = useQuery({
    ...internalQuery('countFeedback', { params: { projectId }, query }),
    meta: { live: ['feedback'] },
    placeholderData: (before) => before,
  })
  return data
}

/** Returns undefined while the counts are incomplete, because a wrong number is worse than none. */
function sumCounts(
  counts: Counts,
  sources: readonly FeedbackSource[],
  statuses: readonly FeedbackStatus[],
): number | undefined {
  if (counts === undefined || counts.isMore) return undefined
  const matchingCounts = counts.counts.filter(
    ({ source, status }) => sources.includes(source) && statuses.includes(status),
  )
  return matchingCounts.reduce((sum, { count: more }) => sum + more, 0)
}

/** Returns whether the project has no feedback at all; if so, the first steps replace the filters. */
export function useHasNoFeedback(projectId: string, parameters: QueryParameters): boolean {
  const counts = useCounts(projectId, parameters)
  return !isFiltered(parameters) && sumCounts(counts, SOURCE_NAMES, ALL_STATUSES) === 0
}

const ALL_STATUSES = STATUSES.map(({ status }) => status)

export function StatusFilter({ counts }: { counts: Counts }) {
  const [parameters, change] = useQueryParameters()
  const filters = parseFilters(parameters, 0)
  const chosen = filters.statuses ?? ALL_STATUSES
  const show = (status: string | undefined) => change({ status, entry: undefined })
  return (
    <MultiSelect
      label={t('Status')}
      words={statusFilterLabel(chosen)}
      options={STATUSES.map(({ status, label, icon, tone }) => ({
        value: status,
        label,
        icon,
        tone,
        count: sumCounts(counts, filters.sources ?? SOURCE_NAMES, [status]),
      }))}
      chosen={chosen}
      onChange={(statuses) =>
        show(isSame(statuses, OPEN_STATUSES) ? undefined : toParameter(statuses, ALL_STATUSES))
      }
      below={(close) => (
        <>
          <Preset label={t('Open', { context: 'state' })} onClick={() => show(undefined)} onDone={close} />
          <Preset label={t('Any status')} onClick={() => show('any')} onDone={close} />
        </>
      )}
    />
  )
}

export function SourceFilter({ counts }: { counts: Counts }) {
  const [parameters, change] = useQueryParameters()
  const filters = parseFilters(parameters, 0)
  const chosen = filters.sources ?? SOURCE_NAMES
  const show = (source: string | undefined) => change({ source, entry: undefined })
  return (
    <MultiSelect
      label={t('Source')}
      words={sourceFilterLabel(chosen)}
      options={SOURCE_NAMES.map((source) => ({
        value: source,
        label: SOURCES[source].label,
        icon: SOURCES[source].icon,
        count: sumCounts(counts, [source], filters.statuses ?? ALL_STATUSES),
      }))}
      chosen={chosen}
      onChange={(sources) =>
        show(isSame(sources, TEXT_SOURCES) ? undefined : toParameter(sources, SOURCE_NAMES))
      }
      below={(close) => (
        <>
          <Preset label={t('With comments')} onClick={() => show(undefined)} onDone={close} />
          <Preset label={t('Any source')} onClick={() => show('any')} onDone={close} />
        </>
      )}
    />
  )
}

function Preset({ label, onClick, onDone }: { label: string; onClick: () => void; onDone: () => void }) {
  const choose = () => {
    onClick()
    onDone()
  }
  return (
    <Button size="small" look="quiet" class="w-full justify-start!" onClick={choose}>
      {label}
    </Button>
  )
}

/** Link to votes without a comment, which are hidden by default because they need no answer. */
export function BareVotesLink({ projectId, counts }: { projectId: string; counts: Counts }) {
  const [parameters] = useQueryParameters()
  const votes = sumCounts(counts, ['thumbs_only'], ALL_STATUSES) ?? 0
  if (votes === 0 || parameters.source !== undefined) return null
  return (
    <Link
      look="quiet"
      href={`/p/${projectId}/feedback?status=any&source=thumbs_only`}
      class="ml-auto inline-flex shrink-0 items-center gap-1.5 text-12 text-soft max-lg:hidden"
    >
      <Icon name="thumbs-up" size={14} class="text-faint" />
      {plural(votes, '{count} vote without a comment', '{count} votes without comments')}
    </Link>
  )
}

function statusFilterLabel(chosen: readonly FeedbackStatus[]): string {
  if (isSame(chosen, OPEN_STATUSES)) return t('Open', { context: 'state' })
  if (chosen.length === ALL_STATUSES.length) return t('Any status')
  return chosen.map((status) => statusLabel(status).label).join(', ')
}

function sourceFilterLabel(chosen: readonly FeedbackSource[]): string {
  if (isSame(chosen, TEXT_SOURCES)) return t('With comments')
  if (chosen.length === SOURCE_NAMES.length) return t('Any source')
  return chosen.map((source) => SOURCES[source].label).join(', ')
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

/** Returns the URL value of a filter; an empty selection means all. */
function toParameter(chosen: readonly string[], all: readonly string[]): string {
  return chosen.length === 0 || chosen.length === all.length ? 'any' : chosen.join(',')
}
