import { useState } from 'preact/hooks'
import { asArray, asText, type Json } from '../../../src/openapi/api-json.ts'
import type { FieldKind, FormValue } from '../../../src/openapi/form-value.ts'
import type { FlatSchema } from '../../../src/openapi/schema.ts'
import { uiText } from './ui-text.ts'

interface InputProps {
  id: string
  /** Undefined when a label is rendered next to it. */
  label: string | undefined
  flat: FlatSchema
  kind: FieldKind
  value: FormValue
  isRequired: boolean
  isMissing: boolean
  onChange(value: FormValue): void
}

export function ValueInput(props: InputProps) {
  const { id, label, flat, kind, value, isRequired, isMissing, onChange } = props
  const { schema } = flat
  const shared = {
    id,
    'aria-label': label,
    'aria-required': isRequired,
    'aria-invalid': isMissing || undefined,
    class: 'try-input',
  }
  switch (kind) {
    case 'constant':
    case 'choice':
    case 'boolean':
      return <ChoiceInput {...props} shared={shared} />
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          step={schema.type === 'integer' ? 1 : 'any'}
          {...parseBounds(schema.minimum, schema.maximum)}
          placeholder={formatHint(schema)}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : Number(text))}
        />
      )
    case 'file':
      return (
        <input
          {...shared}
          type="file"
          accept={asText(schema.contentMediaType) ?? undefined}
          onChange={({ currentTarget: { files } }) => onChange(files?.[0])}
        />
      )
    case 'files':
      return (
        <input
          {...shared}
          type="file"
          multiple
          onChange={({ currentTarget: { files } }) => onChange(files?.length ? [...files] : undefined)}
        />
      )
    case 'text':
      return <TextInput {...props} shared={shared} />
    default:
      return <JsonInput {...{ id, label, value, onChange }} />
  }
}

function ChoiceInput(props: InputProps & { shared: object }) {
  const { flat, kind, value, isRequired, onChange, shared } = props
  const { const: constant, enum: given } = flat.schema
  const options =
    kind === 'boolean' ? [true, false] : kind === 'constant' ? [constant as Json] : asArray(given)
  const all = flat.isNullable && !options.includes(null) ? [...options, null] : options
  return (
    <select
      {...shared}
      value={String(all.indexOf(value as Json))}
      onChange={(event) => onChange(all[Number(event.currentTarget.value)])}
    >
      <option value="-1">{isRequired ? '' : uiText('tryLeftOut')}</option>
      {all.map((one, index) => (
        <option value={String(index)} key={String(one)}>
          {String(one)}
        </option>
      ))}
    </select>
  )
}

function parseBounds(min: Json | undefined, max: Json | undefined): { min?: number; max?: number } {
  return { ...(typeof min === 'number' ? { min } : {}), ...(typeof max === 'number' ? { max } : {}) }
}

function formatHint({ example, default: initial }: { example?: Json; default?: Json }): string {
  const hint = example ?? initial
  return hint === undefined || hint === null || typeof hint === 'object' ? '' : String(hint).slice(0, 80)
}

const TYPES = { date: { type: 'date' }, password: { type: 'password' } } as const

function TextInput({ flat: { schema }, value, onChange, shared }: InputProps & { shared: object }) {
  const text = value === undefined || value === null ? '' : String(value)
  const change = (given: string) => onChange(given === '' ? undefined : given)
  if (schema.format === 'date-time') return <DateTimeInput shared={shared} text={text} onChange={change} />
  const isLong = text.includes('\n') || text.length > 120
  if (isLong) {
    return (
      <textarea {...shared} rows={4} value={text} onInput={(event) => change(event.currentTarget.value)} />
    )
  }
  return (
    <input
      {...shared}
      {...(schema.format === 'date' || schema.format === 'password' ? TYPES[schema.format] : {})}
      placeholder={formatHint(schema)}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => change(event.currentTarget.value)}
    />
  )
}

/** Displayed in the reader's time zone, sent in UTC. */
function DateTimeInput({
  shared,
  text,
  onChange,
}: {
  shared: object
  text: string
  onChange(text: string): void
}) {
  const date = new Date(text)
  const isDate = text !== '' && !Number.isNaN(date.getTime())
  const local = isDate
    ? new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
    : ''
  if (text !== '' && !isDate) {
    return (
      <input {...shared} type="text" value={text} onInput={(event) => onChange(event.currentTarget.value)} />
    )
  }
  return (
    <input
      {...shared}
      type="datetime-local"
      step={1}
      value={local}
      onInput={({ currentTarget: { value } }) => onChange(value === '' ? '' : new Date(value).toISOString())}
    />
  )
}

function JsonInput({
  id,
  label,
  value,
  onChange,
  rows = 3,
}: {
  id: string
  label: string | undefined
  value: FormValue
  onChange(value: FormValue): void
  rows?: number
}) {
  const shown = value === undefined ? '' : JSON.stringify(value, null, 2)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? shown
  const isBroken = typed !== null
  return (
    <>
      <textarea
        id={id}
        class="try-input try-code"
        aria-label={label}
        aria-invalid={isBroken || undefined}
        aria-describedby={isBroken ? `${id}-fault` : undefined}
        spellcheck={false}
        rows={Math.min(24, Math.max(rows, text.split('\n').length))}
        value={text}
        onInput={({ currentTarget: { value: given } }) => {
          const parsed = parseJson(given)
          setTyped(parsed.isJson ? null : given)
          if (parsed.isJson) onChange(parsed.value)
        }}
      />
      {isBroken && (
        <p class="try-fault" id={`${id}-fault`}>
          {uiText('tryNotJson')}
        </p>
      )}
    </>
  )
}

function parseJson(text: string): { isJson: true; value: FormValue } | { isJson: false } {
  if (text.trim() === '') return { isJson: true, value: undefined }
  try {
    return { isJson: true, value: JSON.parse(text) as Json }
  } catch {
    return { isJson: false }
  }
}
