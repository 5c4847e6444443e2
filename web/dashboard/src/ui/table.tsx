import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ComponentChildren
  align?: 'start' | 'end'
  isWide?: boolean
  /**
   * Minimum table width at which the column is shown, smaller for important columns; always shown if omitted.
   */
  from?: keyof typeof FROM
  /** The label is only read by screen readers. */
  isBare?: boolean
}

/** Minimum table widths at which a column is shown, as in `--container-*`. */
const FROM = {
  md: 'hidden @md:table-cell',
  lg: 'hidden @lg:table-cell',
  xl: 'hidden @xl:table-cell',
  '2xl': 'hidden @2xl:table-cell',
}

/** Dense table; columns are hidden as it gets narrower, and anything still too wide scrolls horizontally. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
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
    // `relative` contains the visually hidden labels, whose absolute position would otherwise widen the page.
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
