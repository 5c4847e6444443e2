/** List with a text in each row. A new row gets the focus; an empty row is rejected by the server. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from '../ui/button.tsx'
import { FieldError, FieldSet } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { t } from '../words/words.ts'

export interface RowsOptions {
  /** Accessible name of a row: `Domain 2`. */
  rowLabel: (number: number) => string
  addLabel: string
  example: string
  fixed?: readonly string[]
  /** Minimum number of rows, at which rows can no longer be removed. */
  least?: number
  /** Renders content after the text of a row; `below` renders content below it. */
  beside?: (row: string, index: number, move: (to: number) => void) => ComponentChildren
  below?: (row: string) => ComponentChildren
}

interface RowsFieldProps {
  name: string
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  rows: readonly string[]
  most?: number | undefined
  isOff: boolean
  /** Errors keyed by `<field name>/<row text>`, so that they stay with their row. */
  fieldErrors: Readonly<Partial<Record<string, string>>>
  options: RowsOptions
  onChange: (rows: readonly string[]) => void
}

export function RowsField({
  name,
  label,
  hint,
  error,
  rows,
  most = 100,
  isOff,
  fieldErrors,
  options,
  onChange,
}: RowsFieldProps) {
  const list = useRef<HTMLOListElement>(null)
  const hasNew = useRef(false)
  useLayoutEffect(() => {
    if (hasNew.current) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
    hasNew.current = false
  }, [rows.length])
  const add = () => {
    hasNew.current = true
    onChange([...rows, ''])
  }
  return (
    <FieldSet label={label} hint={hint} error={error}>
      {rows.length > 0 && (
        <ol ref={list} class="divide-y divide-line rounded-md border border-line" aria-label={label}>
          {rows.map((row, index) => (
            <Row
              key={index}
              {...{ row, index, rows, isOff, options, onChange }}
              error={fieldErrors[`${name}/${row.trim()}`]}
            />
          ))}
        </ol>
      )}
      {!isOff && rows.length < most && (
        <Button size="small" icon="plus" class="mt-3" onClick={add}>
          {options.addLabel}
        </Button>
      )}
    </FieldSet>
  )
}

function Row({
  row,
  index,
  rows,
  isOff,
  error,
  options: { rowLabel, example, fixed = [], least = 0, beside, below },
  onChange,
}: Pick<RowsFieldProps, 'rows' | 'isOff' | 'options' | 'onChange'> & {
  row: string
  index: number
  error: string | undefined
}) {
  const id = useId()
  const others = rows.filter((_, at) => at !== index)
  return (
    <li class="px-3 py-2">
      <div class="flex items-center gap-2">
        {fixed.includes(row) ? (
          <span class="min-w-0 flex-1 font-mono text-13 break-words">{row}</span>
        ) : (
          <Input
            isMono
            autocapitalize="none"
            aria-label={rowLabel(index + 1)}
            {...(error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
            class="flex-1"
            value={row}
            placeholder={t('e.g. {example}', { example })}
            onInput={({ currentTarget: { value } }) => onChange(rows.with(index, value))}
          />
        )}
        {beside?.(row, index, (to) => onChange(others.toSpliced(to, 0, row)))}
        {!isOff && rows.length > least && (
          <IconButton
            icon="trash-2"
            size="small"
            label={row === '' ? t('Remove the empty row') : t('Remove {name}', { name: row })}
            onClick={() => onChange(others)}
          />
        )}
      </div>
      {error !== undefined && (
        <FieldError role="alert" id={id}>
          {error}
        </FieldError>
      )}
      {below?.(row)}
    </li>
  )
}
