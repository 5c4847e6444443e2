import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ComponentChildren
  /** `end` for figures and for what one does. */
  align?: 'start' | 'end'
  /** Takes what is left. */
  isWide?: boolean
  /** Not on a phone. */
  isExtra?: boolean
  /** The label is only heard. */
  isBare?: boolean
}

/** Dense rows of things; on a phone the extra columns go, and what is still too wide scrolls within. */
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
  const looks = ({ align, isWide, isExtra }: Column<Row>) =>
    classes(
      'px-3 first:pl-4 last:pr-4',
      align === 'end' ? 'text-right' : 'text-left',
      isWide === true && 'w-full max-w-0',
      isExtra === true && 'max-md:hidden',
    )
  return (
    <section class="overflow-x-auto rounded-md border border-line" aria-label={label} tabIndex={0}>
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
