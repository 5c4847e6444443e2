/** Types that describe the fields of a form. */
import type { ComponentChildren } from 'preact'
import type { Choice } from '../ui/choice.tsx'
import type { FormSchema } from './field-schema.ts'
import type { RowsOptions } from './rows-field.tsx'

export type Value = string | boolean | readonly string[]
export type Draft = Readonly<Record<string, Value>>

export interface FieldSpec {
  /** Path in the request body, as in the pointers of errors. */
  name: string
  label: string
  help?: ComponentChildren
  /**
   * Kind of control; by default the type in the schema. `names` is a list on one line. `lines` has one item per line,
   * and so does `area` for a list. `rows` has one row per item. `secret` is a text that is not shown, such as a token.
   */
  kind?:
    | 'text'
    | 'number'
    | 'password'
    | 'secret'
    | 'area'
    | 'names'
    | 'lines'
    | 'rows'
    | 'switch'
    | 'checkbox'
    | 'select'
    | 'radio'
    | 'segments'
    | 'checks'
    | 'own'
  choices?: readonly Choice<string>[]
  /** Default value, which is restored by sending null. */
  usual?: Value
  example?: string
  /** Value that applies if the field is empty, shown in the field without `e.g.`. */
  placeholder?: string
  isOptional?: boolean
  /** Neither shown nor sent. */
  isHidden?: boolean
  isOff?: boolean
  isMono?: boolean
  rows?: RowsOptions
  /** Replaces the server's message. */
  errorText?: string
  input?: Record<string, unknown>
  /** Renders a field of kind `own`. */
  view?: (control: {
    value: Value
    isOff: boolean
    error: string | undefined
    onChange: (value: Value) => void
    state: FieldsState
  }) => ComponentChildren
  onChange?: (value: Value) => Readonly<Record<string, Value>>
}

export interface GroupSpec {
  group: string
  help?: ComponentChildren
  fields: readonly Entry[]
  isGrid?: boolean
  /** Shows the fields as rows of a table. */
  isTable?: boolean
}

export type Entry = FieldSpec | GroupSpec | ComponentChildren

export interface FieldsState {
  schema: FormSchema
  draft: Draft
  set: (change: Readonly<Record<string, Value>>) => void
  /** Messages by field, and for a row of a list by `field/text of the row`. */
  fieldErrors: Readonly<Partial<Record<string, string>>>
  isOff?: boolean
}
