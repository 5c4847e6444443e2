/** Values of a form that is being edited, and the request body built from them. */
import { parseNameList } from '../ui/parse-name-list.ts'
import { t } from '../words/words.ts'
import type { FieldSchema, FormSchema } from './field-schema.ts'
import type { Draft, FieldSpec, Value } from './field-spec.ts'

export const textOf = (draft: Draft, name: string): string => String(draft[name] ?? '')

export const listOf = (draft: Draft, name: string): readonly string[] => {
  const value = draft[name]
  return Array.isArray(value) ? value : []
}

export function readDraft(fields: readonly FieldSpec[], stored: unknown, schema: FormSchema): Draft {
  return Object.fromEntries(
    fields.map((field) => [field.name, readValue(field, valueAt(stored, field.name), schema[field.name])]),
  )
}

function valueAt(stored: unknown, path: string): unknown {
  const direct = (stored as Record<string, unknown> | null)?.[path]
  if (direct !== undefined) return direct
  return path
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], stored)
}

function readValue(field: FieldSpec, stored: unknown, schema: FieldSchema | undefined): Value {
  const value = stored ?? field.usual
  const kind = kindOf(field, schema)
  if (kind === 'switch' || kind === 'checkbox') return value === true
  if (kind === 'own') return (value ?? '') as Value
  if (kind === 'rows' || kind === 'checks') return Array.isArray(value) ? value : []
  if (Array.isArray(value)) return value.join(kind === 'lines' || kind === 'area' ? '\n' : ', ')
  return value === undefined || value === null ? '' : String(value)
}

export function kindOf(field: FieldSpec, schema: FieldSchema | undefined): NonNullable<FieldSpec['kind']> {
  if (field.kind !== undefined) return field.kind
  if (schema?.type === 'boolean') return 'switch'
  if (schema?.type === 'list') return 'names'
  if (field.choices !== undefined) return 'select'
  return schema?.type === 'integer' ? 'number' : 'text'
}

/** Returns the body with these fields. Empty fields are null, omitted or empty, as the operation requires. */
export function writeBody(
  fields: readonly FieldSpec[],
  draft: Draft,
  schema: FormSchema,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const value = writeValue(field, draft[field.name] ?? '', schema[field.name])
    if (value === undefined) continue
    const path = field.name.split('/')
    const last = path.pop() as string
    let parent = body
    for (const name of path) {
      // The parent may still be the boolean of a switch; an object for the other fields then replaces it.
      if (typeof parent[name] !== 'object' || parent[name] === null) parent[name] = {}
      parent = parent[name] as Record<string, unknown>
    }
    parent[last] = value
  }
  return body
}

function writeValue(field: FieldSpec, value: Value, schema: FieldSchema | undefined): unknown {
  const kind = kindOf(field, schema)
  const { isNullable = false, isOptional = false, canBeEmpty = false } = schema ?? {}
  if (kind === 'switch' || kind === 'checkbox' || kind === 'own')
    return isNullable && value === (field.usual ?? (kind === 'own' ? '' : false)) ? null : value
  if (kind === 'rows') return (value as readonly string[]).map((row) => row.trim())
  if (kind === 'checks') return [...(value as readonly string[])]
  const text = kind === 'password' ? String(value) : String(value).trim()
  if (kind === 'names' || kind === 'lines') {
    const names = kind === 'lines' ? [...new Set(text.split(/[\s,;]+/).filter(Boolean))] : parseNameList(text)
    return names.length === 0 && isNullable ? null : names
  }
  if (kind === 'area' && schema?.type === 'list')
    return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
  if (text === '' && kind !== 'password' && isNullable) return null
  if (text === '' && !canBeEmpty && (isOptional || field.isOptional === true)) return undefined
  if (schema?.type === 'boolean') return text === 'true'
  // Anything but a number is sent unchanged, so that the server reports it together with all other errors.
  return schema?.type === 'integer' ? parseNumber(text) : text
}

function parseNumber(text: string): number | string {
  const digits = text.replace(/[\s,_.]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : text
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function formatValue(field: FieldSpec, value: Value | undefined): string {
  if (typeof value === 'boolean') return value ? t('on') : t('off')
  if (Array.isArray(value)) return value.join(', ')
  return field.choices?.find((choice) => choice.value === value)?.label ?? String(value ?? '')
}
