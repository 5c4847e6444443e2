/** Rows of a list: name, count and change against the previous period. Each row links to its details. */

import type { InsightList } from '../../../../../src/base/api/form-choices.ts'
import type { InsightRow } from '../../../../../src/features/analytics/operations/insights.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount, formatShortCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { formatUtcDay } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { formatRowName, LIST_LABELS } from './insight-labels.ts'

export type RowKind = 'page' | 'day' | 'name'

interface InsightTableProps {
  list: InsightList
  rows: readonly InsightRow[]
  kind: RowKind
  label: string
  hrefOf: (row: InsightRow) => string | null
  hasBefore: boolean
}

export function InsightTable({ list, rows, kind, label, hrefOf, hasBefore }: InsightTableProps) {
  const words = LIST_LABELS[list]
  const most = rows.reduce((found, { now }) => Math.max(found, now), 1)
  const head = { page: t('Page'), day: t('Day'), name: words.name }[kind]
  return (
    <table class="w-full table-fixed border-collapse text-13">
      <caption class="sr-only">{label}</caption>
      <thead>
        <tr class="border-b border-line text-12 text-faint">
          <th scope="col" class="h-8 pr-3 text-left font-medium">
            {head}
          </th>
          <th scope="col" class="w-32 text-right font-medium max-md:w-20">
            {words.amount}
          </th>
          {hasBefore && (
            <th scope="col" class="w-24 text-right font-medium max-md:w-20">
              {t('Change', { context: 'difference' })}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} class="border-b border-line hover:bg-hover">
            <td class="p-0">
              <Name list={list} row={row} kind={kind} href={hrefOf(row)} />
            </td>
            <td class="text-right whitespace-nowrap tabular-nums">
              {/* Count with a bar relative to the largest of the list. */}
              <span class="inline-flex items-center justify-end gap-2">
                <span class="h-1 w-10 shrink-0 overflow-hidden rounded-full max-md:hidden" aria-hidden="true">
                  <span
                    data-bar
                    class="block h-full rounded-full bg-chart-1"
                    style={{ width: `${(row.now / most) * 100}%` }}
                  />
                </span>
                <span class="min-w-10" title={formatCount(row.now)}>
                  {formatShortCount(row.now)}
                </span>
              </span>
            </td>
            {hasBefore && (
              <td class="text-right whitespace-nowrap tabular-nums">
                <CountDifference row={row} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface NameProps {
  list: InsightList
  row: InsightRow
  kind: RowKind
  href: string | null
}

function Name({ list, row: { name, title }, kind, href }: NameProps) {
  const looks = 'flex min-w-0 flex-col justify-center pr-3 outline-offset-[-2px]'
  const height = title === null ? 'h-(--row)' : 'h-11'
  const words = kind === 'day' ? formatUtcDay(name) : formatRowName(kind === 'page' ? 'pages' : list, name)
  const text = (
    <>
      <span
        class={classes('truncate', kind === 'page' && title === null && 'font-mono text-12')}
        dir="auto"
        title={title === null ? words : undefined}
      >
        <PlainText text={title ?? words} />
      </span>
      {title !== null && (
        <span class="truncate font-mono text-12 text-faint" title={name}>
          <PlainText text={name} />
        </span>
      )}
    </>
  )
  return href === null ? (
    <span class={classes(looks, height)}>{text}</span>
  ) : (
    <Link look="none" href={href} class={classes(looks, height)}>
      {text}
    </Link>
  )
}

function CountDifference({ row: { now, before } }: { row: InsightRow }) {
  if (before === 0) return <span class="text-12 text-soft">{t('new', { context: 'in a list' })}</span>
  if (now === before) return <span class="text-faint">0</span>
  return (
    <span class="text-soft" title={t('{count} before', { count: before })}>
      <Icon
        name={now > before ? 'arrow-up' : 'arrow-down'}
        label={now > before ? t('more', { context: 'than before' }) : t('less', { context: 'than before' })}
        size={12}
        class="mr-0.5 inline-block align-[-1px]"
      />
      {formatShortCount(Math.abs(now - before))}
    </span>
  )
}
