/** Generates tables of the docs.json settings from the schema that editors and the check use. */
import type { SettingSchema } from '../../src/site/settings/schema-parts.ts'
import { SETTINGS_SCHEMA } from '../../src/site/settings/settings-schema.ts'
import { table } from './markdown.ts'

/** Settings by section. Each belongs to exactly one section; the navigation has a separate page. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'Brand and look':
    'theme name description colors logo favicon appearance fonts icons background styling interaction'.split(
      ' ',
    ),
  'Around the page': 'navbar footer banner contextual search metadata feedback errors'.split(' '),
  Content: ['variables', 'redirects', 'samples', 'translations', 'api'],
  'For machines': ['seo', 'markdown', 'thumbnails', 'integrations'],
}
const ELSEWHERE = ['$schema', 'navigation', 'public']
/** Schema definitions that the tables show as a single value, although they allow several forms. */
const WHOLE = ['icon', 'metatags', 'specs'].map((name) => `#/definitions/${name}`)
/** Minimum number of fields with the same description that are merged into one table row. */
const MANY_ALIKE = 6

const settings: Readonly<Record<string, SettingSchema>> = SETTINGS_SCHEMA.properties
const definitions: Readonly<Record<string, SettingSchema>> = SETTINGS_SCHEMA.definitions

export function settingTables(): string {
  const placed = [...ELSEWHERE, ...Object.values(PARTS).flat()]
  const lost = Object.keys(settings).filter((key) => !placed.includes(key))
  if (lost.length > 0) throw new Error(`${lost.join(', ')} of docs.json have no place in the reference`)
  return Object.entries(PARTS)
    .map(([title, keys]) => {
      const rows = keys.flatMap((key) => rowsOf(key, settings[key] as SettingSchema))
      return `### ${title}\n\n${table(['Setting', 'Default', 'Meaning'], rows)}`
    })
    .join('\n')
}

function rowsOf(path: string, schema: SettingSchema): string[][] {
  if (schema.deprecated) return []
  if (schema.$ref !== undefined && WHOLE.includes(schema.$ref)) return [rowOf(path, resolved(schema), [])]
  const own = resolved(schema)
  const forms = (own.anyOf ?? [own])
    .filter(({ $ref }) => $ref !== '#/definitions/fileReference')
    .map(resolved)
  const alike = forms.flatMap(fieldsAlike)
  const isValue = forms.some((form) => form.properties === undefined && !isListOfFields(form))
  const inner = alike.length > 0 ? [] : forms.flatMap((form) => innerRows(path, form))
  return [...(isValue || alike.length > 0 ? [rowOf(path, own, alike)] : []), ...inner]
}

function innerRows(path: string, { properties = {}, items }: SettingSchema): string[][] {
  const fields = Object.entries(properties).flatMap(([key, one]) => rowsOf(`${path}.${key}`, one))
  const each = items && resolved(items)
  const forms = each ? (each.anyOf ?? [each]).map(resolved) : []
  return [...fields, ...forms.flatMap((form) => innerRows(`${path}[]`, form))]
}

function isListOfFields({ items }: SettingSchema): boolean {
  return items !== undefined && resolved(items).properties !== undefined
}

function fieldsAlike({ properties = {} }: SettingSchema): string[] {
  const isAlike = new Set(Object.values(properties).map(({ description }) => description)).size === 1
  const names = Object.keys(properties)
  return isAlike && names.length >= MANY_ALIKE ? names : []
}

function rowOf(path: string, schema: SettingSchema, alike: readonly string[]): string[] {
  const forms = schema.anyOf ?? [schema]
  const standard = [schema, ...forms].find((form) => form.default !== undefined)?.default
  const items = forms.flatMap((form) => (form.items ? [resolved(form.items)] : []))
  const known = [
    ...alike,
    ...items.flatMap((item) => (item.anyOf ?? [item]).flatMap((one) => one.enum ?? [])),
  ]
  const meaning = [
    schema.description ?? '',
    ...(schema.enum ? [`One of ${named(schema.enum)}.`] : []),
    ...(known.length > 0 ? [`Known values are ${named(known)}.`] : []),
  ].join(' ')
  return [`\`${path}\``, standard === undefined ? '' : `\`${standard}\``, meaning.replace(/[<{|]/g, '\\$&')]
}

function resolved(schema: SettingSchema): SettingSchema {
  if (schema.$ref === undefined) return schema
  const found = definitions[schema.$ref.replace('#/definitions/', '')]
  if (!found) throw new Error(`${schema.$ref} leads nowhere`)
  return found
}

function named(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ')
}
