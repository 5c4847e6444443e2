import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ComponentChildren
  /** `end` for figures and for what one does. */
  align?: 'start' | 'end'
  /** Takes what is left. */
  isWide?: boolean
  /** Shown from this width of the table on; left out: always. What matters more is there sooner. */
  from?: keyof typeof FROM
  /** The label is only heard. */
  isBare?: boolean
}

/** Widths of the table, as `--container-*` has them, from which a column shows. */
const FROM = {
  md: 'hidden @md:table-cell',
  lg: 'hidden @lg:table-cell',
  xl: 'hidden @xl:table-cell',
  '2xl': 'hidden @2xl:table-cell',
}

/** Dense rows of things; columns go as the table gets narrower, and what is still too wide scrolls within. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  /** What it lists, for those who hear it. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) {
  const looks = ({ align, isWide, from }: Column<Row>) =>
    classes(
      'px-3 first:pl-4 last:pr-4',
      align === 'end' ? 'text-right' : 'text-left',
      isWide === true && 'w-full max-w-0 min-w-32 @md:min-w-48',
      from !== undefined && FROM[from],
    )
  return (
    // Labels that are only heard are placed: without `relative` they would widen the page, not the table.
    <section
      class="@container relative overflow-x-auto rounded-md border border-line"
      aria-label={label}
      tabIndex={0}
    >
      <table class="w-full border-collapse bg-raised text-13">
        <thead>
          <tr class="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                class={classes(looks(column), 'h-8 text-12 font-medium text-faint whitespace-nowrap')}
              >
                {column.isBare === true ? <span class="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} class="border-b border-line last:border-b-0 hover:bg-neutral-2">
              {columns.map((column) => (
                <td key={column.label} class={classes(looks(column), 'h-(--row) whitespace-nowrap')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
