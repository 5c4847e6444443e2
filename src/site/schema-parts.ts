/** Words for writing the schema of docs.json down. What they make is JSON Schema as editors read it. */

export interface SettingSchema {
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
  /** False where only the properties named mean something. */
  additionalProperties?: SettingSchema | false
  required?: readonly string[]
  /** An older name of another setting: read, but not to be written any more. */
  deprecated?: true
}

export const COLOR_PATTERN = '^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$'

/** Keys that begin so are for editors and for other files: `$schema`, `$ref`, `_comment`. */
const FREE_KEYS = { '^[$_]': {} }

export function text(description: string, more: SettingSchema = {}): SettingSchema {
  return { type: 'string', description, ...more }
}

export function flag(description: string, standard?: boolean): SettingSchema {
  return { type: 'boolean', description, ...(standard === undefined ? {} : { default: standard }) }
}

export function amount(description: string, standard?: number): SettingSchema {
  return { type: 'number', description, ...(standard === undefined ? {} : { default: standard }) }
}

export function choice(description: string, values: readonly string[], standard?: string): SettingSchema {
  return {
    type: 'string',
    description,
    enum: values,
    ...(standard === undefined ? {} : { default: standard }),
  }
}

export function color(description: string): SettingSchema {
  return { type: 'string', description, pattern: COLOR_PATTERN }
}

export function fields(
  description: string,
  properties: Record<string, SettingSchema>,
  more: SettingSchema = {},
): SettingSchema {
  return {
    type: 'object',
    description,
    properties,
    patternProperties: FREE_KEYS,
    additionalProperties: false,
    ...more,
  }
}

/** Any key, each with a value of one kind. */
export function table(description: string, value: SettingSchema): SettingSchema {
  return { type: 'object', description, additionalProperties: value }
}

/** A list, or the name of a file that holds it. */
export function list(description: string, items: SettingSchema): SettingSchema {
  return oneOf(description, { type: 'array', items }, shared('fileReference'))
}

export function oneOf(description: string, ...anyOf: SettingSchema[]): SettingSchema {
  return { description, anyOf }
}

export function shared(name: string): SettingSchema {
  return { $ref: `#/definitions/${name}` }
}

/** The same setting under the name it had before. */
export function former(now: string): SettingSchema {
  return { description: `Older name of ${now}.`, deprecated: true }
}
