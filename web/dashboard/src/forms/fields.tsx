/** Fields of a form, described by name, label and help; kinds and limits come from the schema of the operation. */
import { isValidElement } from 'preact'
import { type Choice, RadioGroup, SegmentedControl } from '../ui/choice.tsx'
import { Field, FieldError, FieldSet } from '../ui/field.tsx'
import { Select } from '../ui/input.tsx'
import { Checkbox, Switch } from '../ui/switch.tsx'
import { PasswordField, TextareaField, TextField } from '../ui/text-field.tsx'
import { t } from '../words/words.ts'
import { kindOf, listOf, textOf } from './draft.ts'
import type { FieldSchema } from './field-schema.ts'
import type { Entry, FieldSpec, FieldsState, GroupSpec, Value } from './field-spec.ts'
import { RowsField, type RowsOptions } from './rows-field.tsx'

const isGroup = (entry: Entry): entry is GroupSpec => isSpec(entry) && 'group' in entry
const isSpec = (entry: Entry): entry is FieldSpec | GroupSpec =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) && !isValidElement(entry)

export function listFields(entries: readonly Entry[]): FieldSpec[] {
  return entries.flatMap((entry) =>
    isGroup(entry) ? listFields(entry.fields) : isSpec(entry) ? [entry as FieldSpec] : [],
  )
}

export function Fields({ entries, state }: { entries: readonly Entry[]; state: FieldsState }) {
  return (
    <>
      {entries.map((entry, index) => {
        if (!isSpec(entry)) return entry
        if (!isGroup(entry))
          return entry.isHidden === true ? null : <FormField key={entry.name} field={entry} state={state} />
        return (
          <FieldSet key={`${entry.group} ${index}`} label={entry.group} hint={entry.help}>
            <div
              class={entry.isGrid === true ? 'grid gap-x-4 sm:grid-cols-2' : ''}
              {...(entry.isTable === true && { role: 'table', 'aria-label': entry.group })}
            >
              <Fields entries={entry.fields} state={state} />
            </div>
          </FieldSet>
        )
      })}
    </>
  )
}

function FormField({ field, state }: { field: FieldSpec; state: FieldsState }) {
  const { name, label, help: hint } = field
  const schema = state.schema[name]
  const kind = kindOf(field, schema)
  const value = state.draft[name] ?? ''
  const text = textOf(state.draft, name)
  const sentence = state.fieldErrors[name]
  const error = sentence === undefined ? undefined : (field.errorText ?? sentence)
  const isOff = field.isOff ?? state.isOff ?? false
  const set = (next: Value) => state.set({ [name]: next, ...field.onChange?.(next) })
  const choices = (field.choices ?? []).map((choice) => ({
    ...choice,
    isOff: choice.isOff === true || isOff,
  }))
  const choice = { label, choices, value: text, onChange: set }
  const labelled = { label, hint, error }
  switch (kind) {
    case 'own':
      return <>{field.view?.({ value, isOff, onChange: set, error, state })}</>
    case 'switch':
    case 'checkbox': {
      const Toggle = kind === 'switch' ? Switch : Checkbox
      return (
        <>
          <Toggle label={label} about={hint} isOn={value === true} isOff={isOff} onChange={set} />
          {error !== undefined && <FieldError role="alert">{error}</FieldError>}
        </>
      )
    }
    case 'radio':
      return (
        <FieldSet {...labelled}>
          <RadioGroup {...choice} />
        </FieldSet>
      )
    case 'segments':
      return (
        <FieldSet {...labelled}>
          <SegmentedControl {...choice} />
        </FieldSet>
      )
    case 'checks':
      return (
        <FieldSet {...labelled}>
          <Checks label={label} choices={choices} chosen={listOf(state.draft, name)} onChange={set} />
        </FieldSet>
      )
    case 'select':
      return (
        <Field {...labelled}>
          {(props) => (
            <Select
              {...props}
              isFluid
              disabled={isOff}
              value={text}
              options={choices}
              onChange={set}
              {...field.input}
            />
          )}
        </Field>
      )
    case 'rows':
      return (
        <RowsField
          {...labelled}
          name={name}
          rows={listOf(state.draft, name)}
          most={schema?.most}
          isOff={isOff}
          fieldErrors={state.fieldErrors}
          options={field.rows as RowsOptions}
          onChange={set}
        />
      )
    default:
      return (
        <TypedField
          field={field}
          kind={kind}
          schema={schema}
          isOff={isOff}
          error={error}
          text={text}
          onText={set}
        />
      )
  }
}

function TypedField({
  field,
  kind,
  schema = {},
  isOff,
  error,
  text,
  onText,
}: {
  field: FieldSpec
  kind: FieldSpec['kind']
  schema: FieldSchema | undefined
  isOff: boolean
  error: string | undefined
  text: string
  onText: (text: string) => void
}) {
  const example = field.example ?? schema.example
  const placeholder =
    field.placeholder ?? (example === undefined ? undefined : t('e.g. {example}', { example }))
  const isVerbatim = field.isMono === true || kind === 'names' || kind === 'lines' || kind === 'number'
  const props = {
    label: field.label,
    hint: field.help,
    error,
    isOptional: field.isOptional ?? (schema.isOptional === true && field.input?.required !== true),
    value: text,
    onText,
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
    ...(field.isMono === true ? { isMono: true } : {}),
    ...(isVerbatim || kind === 'secret' ? { autocomplete: 'off', spellcheck: false } : {}),
    ...(kind === 'number' ? { inputMode: 'numeric' } : {}),
    ...(isOff ? { readOnly: true } : {}),
    ...field.input,
  } as const
  if (kind === 'password') return <PasswordField {...props} />
  if (kind === 'area' || kind === 'lines') return <TextareaField {...props} />
  return <TextField {...props} {...(kind === 'secret' ? { type: 'password', isMono: true } : {})} />
}

function Checks({
  label,
  choices,
  chosen,
  onChange,
}: {
  label: string
  choices: readonly Choice<string>[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const values = choices.map(({ value }) => value)
  return (
    <div
      role="group"
      aria-label={label}
      class="max-h-80 overflow-y-auto rounded-md border border-line px-3 py-1"
    >
      {choices.map(({ value, label: one, about, isOff = false, heading }) => (
        <div key={value}>
          {heading !== undefined && <p class="pt-2 text-12 font-medium text-soft">{heading}</p>}
          <Checkbox
            label={one}
            about={about}
            isOff={isOff}
            isOn={chosen.includes(value)}
            onChange={(isOn) =>
              onChange(values.filter((other) => (other === value ? isOn : chosen.includes(other))))
            }
          />
        </div>
      ))}
    </div>
  )
}
