/** Converts a schema to displayed fields: name, type, facts, description, nested fields. */
import {
  fieldsOf,
  followReference,
  isNumber,
  type Json,
  type JsonObject,
  listOf,
  ownField,
  textOf,
} from '../../openapi/api-json.ts'
import {
  type FlatSchema,
  flatten,
  isRequiredIn,
  listItems,
  tupleItems,
  typeName,
  type Variants,
  variantsOf,
} from '../../openapi/schema.ts'
import { exampleFacts, factsOf, valueText } from './facts.ts'
import {
  type AnchorPath,
  claimAnchor,
  type FieldScope,
  joinItems,
  joinPath,
  joinValues,
  joinVariant,
  type SchemaLook,
} from './field-scope.ts'
import { type ApiBlock, type ApiChoice, type ApiFact, type ApiField, LIMITS } from './reference.ts'

export interface FieldSource {
  name: string
  /** Path from which the field's id is built. */
  path: AnchorPath
  schema: Json | undefined
  isRequired: boolean
  /** Parameter, header or media type that contains the schema; its description wins. */
  holder?: JsonObject
  /** Pills shown before those of the schema. */
  pills?: readonly string[]
  /** Enclosing schemas, from the outside in. */
  chain?: readonly Json[]
}

/** Maximum number of variants that links can refer to. */
const MOST_VARIANTS = 20
/** Longer defaults are listed as facts below the name. */
const DEFAULT_CHARACTERS = 40

/** Returns null if the page has reached its limit of fields. */
export function makeField(scope: FieldScope, source: FieldSource): ApiField | null {
  if (scope.fieldsLeft-- <= 0) return null
  const { name, chain = [] } = source
  const flat = flatten(scope, source.schema)
  const { schema } = flat
  const holder = source.holder ?? schema
  const variants = variantPaths(scope, source)
  const anchor = claimAnchor(scope, source.path, variants.all)
  const look = lookOf(scope, flat)
  const own = holder === schema ? look : describedBy(scope, flat, holder)
  const inside = insideOf(scope, flat, { path: variants.only ?? source.path, id: anchor.id, name, chain })
  const isWhole = inside.blocks.length > 0 || inside.same !== null
  return {
    ...anchor,
    name,
    type: isWhole ? look.type : look.model,
    isRequired: source.isRequired,
    isDeprecated: holder.deprecated === true || schema.deprecated === true,
    before: look.before,
    pills: source.pills ? [...source.pills, ...look.pills] : look.pills,
    initial: own.initial,
    description: own.description,
    facts: own.facts,
    ...inside,
  }
}

/** Result is the same on every page that shows the schema. */
function lookOf(scope: FieldScope, flat: FlatSchema): SchemaLook {
  const known = scope.looks.get(flat)
  if (known) return known
  const { schema } = flat
  const extension = fieldsOf(schema['x-mint'])
  const look: SchemaLook = {
    type: typeName(scope, flat),
    model: modelName(scope, flat),
    before: texts(extension.pre),
    pills: pillsOf(scope, schema, extension),
    ...describedBy(scope, flat, schema),
  }
  if (scope.stepsLeft > 0) scope.looks.set(flat, look)
  return look
}

/** `holder` is the schema itself, or its container if that has a description. */
function describedBy(
  scope: FieldScope,
  flat: FlatSchema,
  holder: JsonObject,
): Pick<ApiField, 'initial' | 'facts' | 'description'> {
  return { ...describeValue(scope, flat, holder), description: descriptionOf(holder, flat.schema) }
}

/** Links include the variant even if there is no choice: in `anyOf: [x, { type: null }]` the field is x. */
function variantPaths(
  scope: FieldScope,
  { schema, path }: FieldSource,
): { all: AnchorPath[]; only: AnchorPath | null } {
  const { oneOf, anyOf } = followReference(scope.root, schema)
  const listed = listOf(oneOf ?? anyOf).slice(0, MOST_VARIANTS)
  const all = listed.map((_, index) => joinVariant(path, index, null))
  const shown = all.filter((_, index) => fieldsOf(listed[index]).type !== 'null')
  return { all, only: shown.length === 1 ? (shown[0] ?? null) : null }
}

/** Returns the model's name instead of `object` for models that have fields. */
function modelName(scope: FieldScope, flat: FlatSchema): string {
  const type = typeName(scope, flat)
  const items = listItems(flat.schema)
  const model = items === null ? flat : flatten(scope, items)
  if (model.name === null || !hasInside(model)) return type
  return type.replace(/^object\b/, model.name)
}

/** Returns the description of the holder, or else of the schema. */
export function descriptionOf(holder: JsonObject, schema: JsonObject): string {
  const own = textOf(holder.description) ?? textOf(schema.description) ?? ''
  const { type, description } = fieldsOf(schema.items)
  // The description of object items is shown above their fields.
  const isTold = own === '' || type === 'string' || type === 'integer' || type === 'number'
  const items = isTold ? textOf(description) : null
  return [own, items ?? '', documentsLink(holder.externalDocs ?? schema.externalDocs)]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Returns `externalDocs` as a Markdown link. */
export function documentsLink(value: Json | undefined): string {
  const { url, description } = fieldsOf(value)
  const address = textOf(url)
  if (address === null || !/^https?:\/\//i.test(address)) return textOf(description) ?? ''
  return `[${(textOf(description) ?? address).replace(/[[\]\\]/g, '\\$&')}](<${address.replace(/[<>\s]/g, '')}>)`
}

function describeValue(
  scope: FieldScope,
  { schema }: FlatSchema,
  holder: JsonObject,
): { initial: string | null; facts: ApiFact[] } {
  const facts = factsOf(scope.words, schema)
  const items = listItems(schema)
  if (items !== null) {
    const flat = flatten(scope, items)
    facts.push(...factsOf(scope.words, flat.schema), ...exampleFacts(scope.words, flat.schema, flat.schema))
  }
  facts.push(...exampleFacts(scope.words, schema, holder))
  if (schema.default === undefined || schema.default === null) return { initial: null, facts }
  const text = valueText(schema.default)
  if (text !== '' && text.length <= DEFAULT_CHARACTERS) return { initial: text, facts }
  const shown = text === '' ? '""' : text
  return {
    initial: null,
    facts: [{ label: scope.words.fieldDefault, values: [{ text: shown, note: '' }] }, ...facts],
  }
}

function pillsOf(scope: FieldScope, schema: JsonObject, extension: JsonObject): string[] {
  const pills: string[] = []
  if (schema.readOnly === true) pills.push(scope.words.apiReadOnly)
  if (schema.writeOnly === true) pills.push(scope.words.apiWriteOnly)
  for (const key of scope.settings.pills) pills.push(...pillTexts(key, ownField(schema, key)))
  return [...pills, ...texts(extension.post)]
}

/** A text is its own pill, true gives a pill with the key's name, a list one pill per entry. */
function pillTexts(key: string, value: Json | undefined): string[] {
  if (value === true) return [key]
  if (isNumber(value)) return [String(value)]
  return texts(value)
}

function texts(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => (isNumber(one) ? [String(one)] : (textOf(one) ?? [])))
}

export interface Surroundings {
  /** Id prefix of nested fields. */
  path: AnchorPath
  /** Id of the field or heading above. */
  id: string
  name: string
  chain: readonly Json[]
}

/** Returns a schema's nested fields and variants, or a link if they are described elsewhere on the page. */
export function insideOf(
  scope: FieldScope,
  flat: FlatSchema,
  around: Surroundings,
): Pick<ApiField, 'blocks' | 'same'> {
  const items = listItems(flat.schema)
  if (items !== null) return insideItems(scope, flat.schema, items, around)
  const nothing = { blocks: [], same: null }
  if (!hasInside(flat)) return nothing
  const { origin } = flat
  const known = origin === null ? undefined : scope.described.get(origin)
  const isCircle = origin !== null && around.chain.includes(origin)
  const free = around.chain.length === 0 ? LIMITS.freeFields : LIMITS.freeInnerFields
  const isPlenty = scope.ids.size > free && flat.name !== null
  if (known && (isCircle || isPlenty)) return { blocks: [], same: known }
  if (isCircle || around.chain.length >= scope.depth) return nothing
  if (origin !== null && !known) {
    scope.described.set(origin, { id: around.id, name: flat.name ?? around.name })
  }
  const chain = origin === null ? [...around.chain, null] : [...around.chain, origin]
  return { blocks: blocksOf(scope, flat, { ...around, chain }), same: null }
}

/** A list may have a description in addition to that of its items. */
function insideItems(
  scope: FieldScope,
  list: JsonObject,
  items: Json,
  around: Surroundings,
): Pick<ApiField, 'blocks' | 'same'> {
  const flat = flatten(scope, items)
  const inside = insideOf(scope, flat, { ...around, path: joinItems(around.path) })
  const words = textOf(flat.schema.description)
  if (inside.blocks.length === 0 || words === null || textOf(list.description) === null) return inside
  return { ...inside, blocks: [{ kind: 'prose', markdown: words }, ...inside.blocks] }
}

function hasInside(flat: FlatSchema): boolean {
  const { schema } = flat
  return (
    schema.properties !== undefined ||
    schema.patternProperties !== undefined ||
    tupleItems(schema).length > 0 ||
    typeof schema.additionalProperties === 'object' ||
    variantsOf(flat).length > 0
  )
}

function blocksOf(scope: FieldScope, flat: FlatSchema, around: Surroundings): ApiBlock[] {
  const fields = propertyFields(scope, flat.schema, around)
  const blocks: ApiBlock[] = fields.length > 0 ? [{ kind: 'fields', fields }] : []
  for (const variants of variantsOf(flat)) {
    const choice = variantChoice(scope, variants, around, flat.schema)
    if (choice) blocks.push(choice)
  }
  return blocks
}

function propertyFields(scope: FieldScope, schema: JsonObject, { path, chain }: Surroundings): ApiField[] {
  const sources: FieldSource[] = []
  for (const [name, property] of Object.entries(fieldsOf(schema.properties))) {
    const own = joinPath(scope, path, name)
    sources.push({ name, path: own, chain, schema: property, isRequired: isRequiredIn(schema, name) })
  }
  for (const [pattern, property] of Object.entries(fieldsOf(schema.patternProperties))) {
    const name = `/${pattern}/`
    sources.push({ name, path: joinPath(scope, path, name), chain, schema: property, isRequired: false })
  }
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties !== null) {
    const name = `{${scope.words.apiKey}}`
    const own = joinValues(path)
    sources.push({ name, path: own, chain, schema: schema.additionalProperties, isRequired: false })
  }
  for (const [index, item] of tupleItems(schema).entries()) {
    const name = `[${index}]`
    sources.push({ name, path: joinPath(scope, path, name), chain, schema: item, isRequired: false })
  }
  return sources.flatMap((source) => makeField(scope, source) ?? [])
}

/** Returns null if the type is sufficient: variants without fields, limits or descriptions. */
function variantChoice(
  scope: FieldScope,
  { kind, schemas, discriminator }: Variants,
  around: Surroundings,
  parent: JsonObject,
): ApiBlock | null {
  const flats = schemas.map((one) => withoutFieldsOf(parent, flatten(scope, one)))
  const isPlain = flats.every(
    (flat) =>
      !hasInside(flat) && !hasInsideItems(scope, flat) && descriptionOf(flat.schema, flat.schema) === '',
  )
  const hasFacts = flats.some((flat) => factsOf(scope.words, flat.schema).length > 0)
  // Variants that only require different fields of what is described already.
  const isOnlyRequired = flats.every(({ schema }) => Object.keys(schema).every((key) => key === 'required'))
  if (isPlain && isOnlyRequired && parent.properties !== undefined) return null
  if (isPlain && !hasFacts) return null
  const titles = titlesOf(scope, flats, discriminator)
  const choices = flats.flatMap((flat, index): ApiChoice[] => {
    if (scope.fieldsLeft <= 0) return []
    const title = titles[index] as string
    const path = joinVariant(around.path, index, title)
    const blocks = variantBlocks(scope, flat, { ...around, path })
    const anchor = isField(blocks) ? {} : { anchor: claimAnchor(scope, path) }
    return [{ title, note: '', blocks, ...anchor }]
  })
  const rule = kind === 'oneOf' ? scope.words.apiOneOf : scope.words.apiAnyOf
  const label = discriminator ? `${rule} · ${discriminator.field}` : rule
  return choices.length === 0 ? null : { kind: 'choice', label, choices, isStatus: false }
}

/** Removes the parent's fields from a variant that extends it; they are shown above the variants. */
function withoutFieldsOf(parent: JsonObject, flat: FlatSchema): FlatSchema {
  const [above, own] = [fieldsOf(parent.properties), fieldsOf(flat.schema.properties)]
  const rest = Object.entries(own).filter(([name, schema]) => above[name] !== schema)
  if (rest.length === Object.keys(own).length) return flat
  return { ...flat, schema: { ...flat.schema, properties: Object.fromEntries(rest) } }
}

/** True if the blocks are the value itself, which has the variant's id. */
function isField(blocks: readonly ApiBlock[]): boolean {
  const [only] = blocks
  return blocks.length === 1 && only?.kind === 'fields' && only.fields[0]?.name === ''
}

function hasInsideItems(scope: FieldScope, { schema }: FlatSchema): boolean {
  const items = listItems(schema)
  return items !== null && hasInside(flatten(scope, items))
}

/** Returns the description and fields of a variant; for one that is not an object, its type and limits. */
export function variantBlocks(scope: FieldScope, flat: FlatSchema, around: Surroundings): ApiBlock[] {
  const { schema } = flat
  const isObject = hasInside(flat)
  const description = descriptionOf(schema, schema)
  const { blocks, same } = insideOf(scope, flat, around)
  if (isObject && same === null) {
    return description === '' ? blocks : [{ kind: 'prose', markdown: description }, ...blocks]
  }
  const { model: _, ...look } = lookOf(scope, flat)
  const value: ApiField = {
    ...claimAnchor(scope, around.path),
    ...look,
    name: '',
    isRequired: false,
    isDeprecated: schema.deprecated === true,
    before: [],
    blocks,
    same,
  }
  return [{ kind: 'fields', fields: [value] }]
}

/** Titles variants by their title, discriminator value, name or type; each title is unique. */
function titlesOf(
  scope: FieldScope,
  flats: readonly FlatSchema[],
  discriminator: Variants['discriminator'],
): string[] {
  const taken = new Map<string, number>()
  return flats.map((flat) => {
    const wanted =
      textOf(flat.schema.title) ??
      discriminator?.values.get(flat.name ?? '') ??
      constantOf(scope, flat, discriminator?.field) ??
      flat.name ??
      typeName(scope, flat)
    const count = (taken.get(wanted) ?? 0) + 1
    taken.set(wanted, count)
    return count === 1 ? wanted : `${wanted} ${count}`
  })
}

function constantOf(scope: FieldScope, { schema }: FlatSchema, field: string | undefined): string | null {
  if (field === undefined) return null
  const { schema: decided } = flatten(scope, ownField(schema.properties, field))
  const [only, other] = listOf(decided.enum)
  return textOf(decided.const) ?? (other === undefined ? textOf(only) : null)
}
