/** Panel with all rows of a list, or with the rows for one name in a list. */

import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import type { InsightList } from '../../../../../src/base/api/form-choices.ts'
import type { InsightRow } from '../../../../../src/features/analytics/operations/insights.ts'
import { internal, internalKey, type OperationResponse } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { AUDIENCE_LABELS, formatRowName, LIST_LABELS, PAGE_LISTS } from './insight-labels.ts'
import { InsightTable, type RowKind } from './insight-table.tsx'
import type { InsightLinks, InsightPeriod } from './insights-url.ts'

const PAGE_SIZE = 50

interface RowsRequest {
  list: InsightList
  by?: 'name' | 'page' | 'day'
  name?: string
  page?: string
}

export function useInsightRows(period: InsightPeriod, asked: RowsRequest, limit = PAGE_SIZE) {
  const projectId = useProjectId()
  const input = { params: { projectId }, query: { ...period, ...asked, limit } }
  return useInfiniteQuery({
    queryKey: internalKey('listInsightRows', input),
    queryFn: ({ pageParam }) =>
      internal('listInsightRows', { ...input, query: { ...input.query, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }: OperationResponse<'listInsightRows'>, parts) =>
      hasMore ? parts.length * limit : undefined,
  })
}

interface InsightRowsProps {
  period: InsightPeriod
  asked: RowsRequest
  links: InsightLinks
  limit?: number
}

export function InsightRows({ period, asked, links, limit }: InsightRowsProps) {
  const pages = useInsightRows(period, asked, limit)
  const { list, by = 'name' } = asked
  const isOfPages = by === 'page' || (by === 'name' && PAGE_LISTS.includes(list))
  const kind: RowKind = by === 'day' ? 'day' : isOfPages ? 'page' : 'name'
  return (
    <Loaded query={pages} skeleton={<SkeletonRows count={4} />} isSmall>
      {({ pages: parts }) => {
        const rows = parts.flatMap((part) => part.rows)
        if (rows.length === 0) return <p class="py-2 text-13 text-soft">{LIST_LABELS[list].none}</p>
        return (
          <>
            <InsightTable
              list={list}
              rows={rows}
              kind={kind}
              label={LIST_LABELS[list].title}
              hrefOf={(row) => buildRowHref(list, kind, row, links)}
              hasBefore={by !== 'day' && rows.some(({ before }) => before > 0)}
            />
            <MoreButton pages={pages} label={t('Show more')} />
          </>
        )
      }}
    </Loaded>
  )
}

/** Returns the link of a row, or null if it has neither a page nor rows. */
export function buildRowHref(
  list: InsightList,
  kind: RowKind,
  { name }: InsightRow,
  links: InsightLinks,
): string | null {
  if (kind === 'day') return null
  if (kind === 'page') return name.startsWith('/') ? links.shown({ kind: 'page', path: name }) : null
  return links.shown({ kind: 'name', list: list === 'unfound' ? 'searches' : list, name })
}

interface ListPanelProps {
  list: InsightList
  period: InsightPeriod
  links: InsightLinks
}

export function ListPanel({ list, period, links }: ListPanelProps) {
  return (
    <Panel title={LIST_LABELS[list].title} about={formatPeriod(period)} closeHref={links.page}>
      <InsightRows period={period} asked={{ list }} links={links} />
    </Panel>
  )
}

interface NamePanelProps {
  list: InsightList
  name: string
  period: InsightPeriod
  links: InsightLinks
}

/**
 * Rows for one name: pages for most lists, days for a device; for a search, its pages and the opened results.
 */
export function NamePanel({ list, name, period, links }: NamePanelProps) {
  const words = LIST_LABELS[list]
  return (
    <Panel
      title={<PlainText text={formatRowName(list, name)} />}
      about={`${words.title} · ${formatPeriod(period)}`}
      closeHref={links.page}
    >
      {list === 'searches' ? (
        <>
          <Part title={t('Pages where this was searched')}>
            <InsightRows period={period} asked={{ list, name, by: 'page' }} links={links} limit={20} />
          </Part>
          <Part title={t('Without a result')}>
            <InsightRows
              period={period}
              asked={{ list: 'unfound', name, by: 'page' }}
              links={links}
              limit={20}
            />
          </Part>
          <Part title={t('Clicked results')}>
            <InsightRows
              period={period}
              asked={{ list: 'clicks', name, by: 'page' }}
              links={links}
              limit={20}
            />
          </Part>
        </>
      ) : (
        <InsightRows
          period={period}
          asked={{ list, name, by: list === 'devices' ? 'day' : 'page' }}
          links={links}
        />
      )}
    </Panel>
  )
}

export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="mb-6 last:mb-0" aria-label={title}>
      <h3 class="mb-1 text-13 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

export function formatPeriod({ days, audience }: InsightPeriod): string {
  return `${plural(days, '{count} day', '{count} days')} · ${AUDIENCE_LABELS[audience]}`
}
