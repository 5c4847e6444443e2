/** Form fields for a schema: nested objects, arrays and variants. */
import { useId, useState } from 'preact/hooks'
import { asObject, asText, type Json } from '../../../src/openapi/api-json.ts'
import {
  createInitialValue,
  type FieldKind,
  type FormFields,
  type FormValue,
  findBestVariant,
  getFieldKind,
  listRequestProperties,
  setField,
} from '../../../src/openapi/form-value.ts'
import {
  describeType,
  type FlatSchema,
  flatten,
  isRequiredIn,
  listItems,
  listVariants,
  type SchemaScope,
} from '../../../src/openapi/schema.ts'
import { uiText } from './ui-text.ts'
import { ValueInput } from './value-input.tsx'

export interface SchemaFieldProps {
  scope: SchemaScope
  schema: Json
  /** Null for an array item or the root. */
  name: string | null
  value: FormValue
  isRequired: boolean
  isDeprecated?: boolean
  description?: string
  isMissing?: boolean
  depth?: number
  onChange(value: FormValue): void
}

/** Fields nested deeper are edited as JSON. */
const MAX_DEPTH = 6

const NESTED_KINDS: ReadonlySet<FieldKind> = new Set(['list', 'object', 'variants'])

export function SchemaField(props: SchemaFieldProps) {
  const { scope, schema, name, value, isRequired, depth = 0, onChange } = props
  const id = useId()
  const flat = flatten(scope, schema)
  const given = getFieldKind(flat)
  const kind = depth > MAX_DEPTH && NESTED_KINDS.has(given) ? 'json' : given
  const type = describeType(scope, flat)
  if (!NESTED_KINDS.has(kind)) {
    return (
      <div class="try-field" data-missing={props.isMissing || undefined}>
        {name !== null && <FieldLabel {...props} id={id} type={type} />}
        <ValueInput
          {...{
            id,
            flat,
            kind,
            value,
            isRequired,
            onChange,
            label: name === null ? type : undefined,
            isMissing: props.isMissing === true,
          }}
        />
        {props.description && <p class="try-about">{props.description}</p>}
      </div>
    )
  }
  const inside = <Inside {...{ scope, flat, kind, value, depth, onChange, name }} />
  if (name === null) return inside
  return (
    <fieldset class="try-group" data-missing={props.isMissing || undefined}>
      <legend>
        <FieldLabel {...props} id={null} type={type} />
      </legend>
      {!isRequired && (
        <button
          type="button"
          class="try-small"
          aria-label={`${uiText(value === undefined ? 'tryAdd' : 'tryRemove')} ${name}`}
          onClick={() =>
            onChange(
              value === undefined ? (createInitialValue(scope, schema, true) ?? emptyValue(kind)) : undefined,
            )
          }
        >
          {uiText(value === undefined ? 'tryAdd' : 'tryRemove')}
        </button>
      )}
      {(isRequired || value !== undefined) && inside}
    </fieldset>
  )
}

function emptyValue(kind: FieldKind): FormValue {
  return kind === 'list' ? [] : kind === 'object' ? {} : undefined
}

function FieldLabel({
  id,
  name,
  type,
  isRequired,
  isDeprecated,
}: SchemaFieldProps & { id: string | null; type: string }) {
  const content = (
    <>
      <span class="try-name">{name}</span> <span class="try-type">{type}</span>
      {isRequired && <span class="try-required"> {uiText('fieldRequired')}</span>}
      {isDeprecated && <span class="try-type"> {uiText('fieldDeprecated')}</span>}
    </>
  )
  return id === null ? (
    <span class="try-label">{content}</span>
  ) : (
    <label class="try-label" for={id}>
      {content}
    </label>
  )
}

interface NestedProps {
  scope: SchemaScope
  flat: FlatSchema
  kind: FieldKind
  value: FormValue
  depth: number
  name: string | null
  onChange(value: FormValue): void
}

function Inside(props: NestedProps) {
  if (props.kind === 'list') return <ListInput {...props} />
  return props.kind === 'variants' ? <VariantInput {...props} /> : <ObjectInput {...props} />
}

function ListInput({ scope, flat, value, depth, name, onChange }: NestedProps) {
  const items = Array.isArray(value) ? value : []
  const schema = listItems(flat.schema) ?? {}
  const { maxItems } = flat.schema
  return (
    <div class="try-inside">
      {items.map((item, index) => (
        <div class="try-item" key={index}>
          <SchemaField
            {...{ scope, schema, name: null, value: item, isRequired: true, depth: depth + 1 }}
            onChange={(next) => onChange(items.with(index, next))}
          />
          <button
            type="button"
            class="try-small"
            aria-label={`${uiText('tryRemove')} ${name ?? ''} ${index + 1}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            {uiText('tryRemove')}
          </button>
        </div>
      ))}
      <button
        type="button"
        class="try-small"
        aria-label={`${uiText('tryAdd')} ${name ?? ''}`}
        disabled={typeof maxItems === 'number' && items.length >= maxItems}
        onClick={() => onChange([...items, createInitialValue(scope, schema, true)])}
      >
        {uiText('tryAdd')}
      </button>
    </div>
  )
}

function VariantInput({ scope, flat, value, depth, onChange }: NestedProps) {
  const id = useId()
  const schemas = listVariants(flat)[0]?.schemas ?? []
  const [chosen, choose] = useState<number | null>(null)
  const index = chosen ?? findBestVariant(scope, schemas, value)
  const schema = schemas[index] ?? {}
  return (
    <div class="try-inside">
      <select
        id={id}
        class="try-input"
        aria-label={uiText(listVariants(flat)[0]?.kind === 'anyOf' ? 'apiAnyOf' : 'apiOneOf')}
        value={String(index)}
        onChange={({ currentTarget: { value: next } }) => {
          choose(Number(next))
          onChange(createInitialValue(scope, schemas[Number(next)] ?? {}, true))
        }}
      >
        {schemas.map((one, variantIndex) => {
          const variant = flatten(scope, one)
          const title = asText(variant.schema.title) ?? variant.name ?? describeType(scope, variant)
          return (
            <option value={String(variantIndex)} key={variantIndex}>
              {title}
            </option>
          )
        })}
      </select>
      <SchemaField
        {...{ scope, schema, name: null, value, isRequired: true, depth: depth + 1, onChange }}
        key={index}
      />
    </div>
  )
}

function ObjectInput({ scope, flat, value, depth, onChange }: NestedProps) {
  const { schema } = flat
  const fields = (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
      ? value
      : {}
  ) as FormFields
  const properties = listRequestProperties(scope, schema)
  const known = new Set(properties.map(([name]) => name))
  const change = (name: string, next: FormValue) => {
    const changed: FormFields = {}
    for (const [key, one] of Object.entries(fields)) if (key !== name) setField(changed, key, one)
    if (next !== undefined) setField(changed, name, next)
    onChange(changed)
  }
  return (
    <div class="try-inside">
      {properties.map(([name, property]) => (
        <SchemaField
          key={name}
          {...{ scope, schema: property, name, depth: depth + 1 }}
          value={Object.hasOwn(fields, name) ? fields[name] : undefined}
          isRequired={isRequiredIn(schema, name)}
          isDeprecated={asObject(property).deprecated === true}
          onChange={(next) => change(name, next)}
        />
      ))}
      {typeof schema.additionalProperties === 'object' && (
        <MapInput
          {...{ scope, depth }}
          schema={schema.additionalProperties}
          fields={fields}
          known={known}
          onChange={change}
        />
      )}
    </div>
  )
}

/** Object fields with arbitrary names. */
function MapInput({
  scope,
  schema,
  fields,
  known,
  depth,
  onChange,
}: {
  scope: SchemaScope
  schema: Json
  fields: FormFields
  known: ReadonlySet<string>
  depth: number
  onChange(name: string, value: FormValue): void
}) {
  const id = useId()
  const [name, setName] = useState('')
  const own = Object.keys(fields).filter((key) => !known.has(key))
  const add = () => {
    if (name === '' || Object.hasOwn(fields, name)) return
    onChange(name, createInitialValue(scope, schema, true) ?? '')
    setName('')
  }
  return (
    <>
      {own.map((key) => (
        <div class="try-item" key={key}>
          <SchemaField
            {...{ scope, schema, name: key, value: fields[key], isRequired: true, depth: depth + 1 }}
            onChange={(next) => onChange(key, next ?? '')}
          />
          <button
            type="button"
            class="try-small"
            aria-label={`${uiText('tryRemove')} ${key}`}
            onClick={() => onChange(key, undefined)}
          >
            {uiText('tryRemove')}
          </button>
        </div>
      ))}
      <div class="try-item">
        <input
          id={id}
          class="try-input"
          aria-label={uiText('tryName')}
          placeholder={uiText('tryName')}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="button" class="try-small" disabled={name === ''} onClick={add}>
          {uiText('tryAdd')}
        </button>
      </div>
    </>
  )
}
