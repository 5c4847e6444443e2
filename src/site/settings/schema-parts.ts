/**
 * Builders for the schema of docs.json. The result is JSON Schema for editors, and it carries the type of the parsed
 * value. Functions in it are omitted when it is serialized as JSON.
 */
import type { Problem } from '../../base/errors/problem.ts'
import type { IconLibrary } from '../icon.ts'
import type { JsonNode } from '../json.ts'
import { rootPath } from '../navigation/routes.ts'

declare const VALUE: unique symbol

export interface SettingSchema<Value = unknown> {
  $ref?: string
  title?: string
  description?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'boolean'
  default?: string | number | boolean
  enum?: readonly string[]
  pattern?: string
  anyOf?: readonly SettingSchema[]
  items?: SettingSchema
  properties?: Readonly<Record<string, SettingSchema>>
  patternProperties?: Readonly<Record<string, SettingSchema>>
  additionalProperties?: SettingSchema | false
  required?: readonly string[]
  /** Older name of another setting: accepted, but should no longer be used. */
  deprecated?: true
  of?: () => SettingSchema<Value>
  /** Returns the value of an absent setting. If omitted: the schema's `default`, an object of defaults, or null. */
  defaultValue?: () => Value
  /** Converts a parsed value; null drops an item from a list. */
  convert?: (value: never, settingContext: SettingContext) => Value
  readonly [VALUE]?: Value
}

export type ValueOf<Schema> = Schema extends SettingSchema<infer Value> ? Value : never

export interface SettingScope {
  problems: Problem[]
  library: IconLibrary
}

export interface SettingContext extends SettingScope {
  node: JsonNode
  /** Full name of the setting: `colors.primary`. */
  path: string
}

/** Matches keys that are not settings, but are meant for editors and other files: `$schema`, `$ref`, `_comment`. */
const FREE_KEY_PATTERNS = { '^[$_]': {} }

/** Text, trimmed; numbers are accepted. */
export function text(
  description: string,
  more?: SettingSchema & { default?: never },
): SettingSchema<string | null>
export function text(description: string, more: SettingSchema & { default: string }): SettingSchema<string>
export function text(description: string, more: SettingSchema = {}): SettingSchema<string | null> {
  return { ...(more as SettingSchema<string | null>), type: 'string', description }
}

/** A URL, or a path below the docs folder, which gets a leading slash when parsed. */
export function path(description: string): SettingSchema<string | null> {
  return mapped(text(description), rootPath)
}

export function flag(description: string): SettingSchema<boolean | null>
export function flag(description: string, standard: boolean): SettingSchema<boolean>
export function flag(description: string, standard?: boolean): SettingSchema<boolean | null> {
  return { type: 'boolean', description, ...(standard === undefined ? {} : { default: standard }) }
}

export function amount(description: string, standard?: number): SettingSchema<number | null> {
  return { type: 'number', description, ...(standard === undefined ? {} : { default: standard }) }
}

export function choice<const Choice extends string>(
  description: string,
  values: readonly Choice[],
): SettingSchema<Choice | null>
export function choice<const Choice extends string>(
  description: string,
  values: readonly Choice[],
  standard: NoInfer<Choice>,
): SettingSchema<Choice>
export function choice(
  description: string,
  values: readonly string[],
  standard?: string,
): SettingSchema<string | null> {
  return {
    type: 'string',
    description,
    enum: values,
    ...(standard === undefined ? {} : { default: standard }),
  }
}

/** `#rgb` or `#rrggbb`, converted to lower case. */
export function color(description: string): SettingSchema<string | null> {
  return { type: 'string', description, pattern: '^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$' }
}

type FieldsOf<Properties> = { [Key in keyof Properties]: ValueOf<Properties[Key]> }

export function fields<Properties extends Record<string, SettingSchema>>(
  description: string,
  properties: Properties,
): SettingSchema<FieldsOf<Properties>> {
  return {
    type: 'object',
    description,
    properties,
    patternProperties: FREE_KEY_PATTERNS,
    additionalProperties: false,
  }
}

export function table<Value>(
  description: string,
  value: SettingSchema<Value>,
): SettingSchema<Readonly<Record<string, NonNullable<Value>>>> {
  return { type: 'object', description, additionalProperties: value, defaultValue: () => ({}) }
}

/** A list, or the name of a file that contains it. */
export function list<Item>(
  description: string,
  items: SettingSchema<Item>,
): SettingSchema<readonly NonNullable<Item>[]> {
  return {
    ...oneOf(description, { type: 'array', items }, FILE_REFERENCE),
    defaultValue: () => [],
  } as SettingSchema<readonly NonNullable<Item>[]>
}

export function texts(description: string, each: string): SettingSchema<readonly string[]> {
  const forms = oneOf(description, text(each), { type: 'array', items: text(each) })
  return mapped(
    forms,
    (value) => [value].flat() as string[],
    () => [],
  )
}

/**
 * Uses the first alternative that accepts the value. Both the result and each alternative can have a
 * `convert`.
 */
export function oneOf<Forms extends readonly SettingSchema[]>(
  description: string,
  ...anyOf: Forms
): SettingSchema<ValueOf<Forms[number]> | null> {
  return { description, anyOf }
}

export function shared<Value>(name: string, of: () => SettingSchema<Value>): SettingSchema<Value> {
  return { $ref: `#/definitions/${name}`, of }
}

export function former<Value = unknown>(now: string, kind: SettingSchema<Value> = {}): SettingSchema<Value> {
  return { ...kind, description: `Deprecated: use ${now} instead.`, deprecated: true }
}

/** `defaultValue` returns the value of an absent setting; null by default. */
export function mapped<Raw, Value>(
  schema: SettingSchema<Raw>,
  convert: (value: NonNullable<Raw>, settingContext: SettingContext) => Value,
): SettingSchema<Value | null>
export function mapped<Raw, Value>(
  schema: SettingSchema<Raw>,
  convert: (value: NonNullable<Raw>, settingContext: SettingContext) => Value,
  defaultValue: () => NoInfer<Value>,
): SettingSchema<Value>
export function mapped<Raw, Value>(
  schema: SettingSchema<Raw>,
  convert: (value: NonNullable<Raw>, settingContext: SettingContext) => Value,
  defaultValue: () => Value | null = () => null,
): SettingSchema<Value | null> {
  return { ...(schema as SettingSchema), convert, defaultValue } as SettingSchema<Value | null>
}

/** Like `mapped`, but also converts the default value of an absent setting. */
export function mappedWithDefault<Raw, Value>(
  schema: SettingSchema<Raw>,
  convert: (value: Raw) => Value,
): SettingSchema<Value> {
  return {
    ...(schema as SettingSchema),
    convert,
    defaultValue: () => convert(getDefaultValue(schema)),
  } as SettingSchema<Value>
}

export function getDefaultValue<Value>(schema: SettingSchema<Value>): Value {
  const own = resolveShared(schema)
  if (own.defaultValue) return own.defaultValue()
  const { properties } = own
  if (own.default !== undefined || !properties) return (own.default ?? null) as Value
  const all = Object.entries(properties).map(([key, property]) => [key, getDefaultValue(property)])
  return Object.fromEntries(all) as Value
}

export function resolveShared<Value>(schema: SettingSchema<Value>): SettingSchema<Value> {
  return schema.of ? resolveShared(schema.of()) : schema
}

export const fileReference: SettingSchema<null> = {
  type: 'object',
  description: 'Inserts the content of another file.',
  properties: { $ref: text('Path of a JSON file, relative to this file.') },
  convert: () => null,
}

const FILE_REFERENCE = shared('fileReference', () => fileReference)
