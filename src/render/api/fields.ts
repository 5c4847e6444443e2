/** Converts a schema to displayed fields: name, type, facts, description, nested fields. */
import {
  asArray,
  asObject,
  asText,
  followReference,
  getOwnField,
  isNumber,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import {
  describeType,
  type FlatSchema,
  flatten,
  isRequiredIn,
  listItems,
  listVariants,
  tupleItems,
  type Variants,
} from '../../openapi/schema.ts'
import { createExampleFacts, createFacts, formatValue } from './facts.ts'
import {
  type AnchorPath,
  claimAnchor,
  type FieldScope,
  joinItems,
  joinPath,
  joinValues,
  joinVariant,
  type SchemaView,
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
const MAX_VARIANTS = 20
/** Longer defaults are listed as facts below the name. */
const MAX_DEFAULT_CHARACTERS = 40

/** Returns null if the page has reached its limit of fields. */
export function createField(scope: FieldScope, source: FieldSource): ApiField | null {
  if (scope.fieldsLeft-- <= 0) return null
  const { name, chain = [] } = source
  const flat = flatten(scope, source.schema)
  const { schema } = flat
  const holder = source.holder ?? schema
  const variants = variantPaths(scope, source)
  const anchor = claimAnchor(scope, source.path, variants.all)
  const view = createSchemaView(scope, flat)
  const own = holder === schema ? view : describeSource(scope, flat, holder)
  const inside = createNestedContent(scope, flat, {
    path: variants.only ?? source.path,
    id: anchor.id,
    name,
    chain,
  })
  const isWhole = inside.blocks.length > 0 || inside.same !== null
  return {
    ...anchor,
    name,
    type: isWhole ? view.type : view.model,
    isRequired: source.isRequired,
    isDeprecated: holder.deprecated === true || schema.deprecated === true,
    before: view.before,
    pills: source.pills ? [...source.pills, ...view.pills] : view.pills,
    initial: own.initial,
    description: own.description,
    facts: own.facts,
    ...inside,
  }
}

/** Result is the same on every page that shows the schema. */
function createSchemaView(scope: FieldScope, flat: FlatSchema): SchemaView {
  const existing = scope.views.get(flat)
  if (existing) return existing
  const { schema } = flat
  const extension = asObject(schema['x-mint'])
  const view: SchemaView = {
    type: describeType(scope, flat),
    model: getModelName(scope, flat),
    before: listTexts(extension.pre),
    pills: listPills(scope, schema, extension),
    ...describeSource(scope, flat, schema),
  }
  if (scope.remainingVisits > 0) scope.views.set(flat, view)
  return view
}

/** `holder` is the schema itself, or its container if that has a description. */
function describeSource(
  scope: FieldScope,
  flat: FlatSchema,
  holder: JsonObject,
): Pick<ApiField, 'initial' | 'facts' | 'description'> {
  return { ...describeValue(scope, flat, holder), description: getDescription(holder, flat.schema) }
}

/** Links include the variant even if there is no choice: in `anyOf: [x, { type: null }]` the field is x. */
function variantPaths(
  scope: FieldScope,
  { schema, path }: FieldSource,
): { all: AnchorPath[]; only: AnchorPath | null } {
  const { oneOf, anyOf } = followReference(scope.root, schema)
  const listed = asArray(oneOf ?? anyOf).slice(0, MAX_VARIANTS)
  const all = listed.map((_, index) => joinVariant(path, index, null))
  const shown = all.filter((_, index) => asObject(listed[index]).type !== 'null')
  return { all, only: shown.length === 1 ? (shown[0] ?? null) : null }
}

/** Returns the model's name instead of `object` for models that have fields. */
function getModelName(scope: FieldScope, flat: FlatSchema): string {
  const type = describeType(scope, flat)
  const items = listItems(flat.schema)
  const model = items === null ? flat : flatten(scope, items)
  if (model.name === null || !hasNestedContent(model)) return type
  return type.replace(/^object\b/, model.name)
}

/** Returns the description of the holder, or else of the schema. */
export function getDescription(holder: JsonObject, schema: JsonObject): string {
  const own = asText(holder.description) ?? asText(schema.description) ?? ''
  const { type, description } = asObject(schema.items)
  // The description of object items is shown above their fields.
  const isTold = own === '' || type === 'string' || type === 'integer' || type === 'number'
  const items = isTold ? asText(description) : null
  return [own, items ?? '', createDocsLink(holder.externalDocs ?? schema.externalDocs)]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Returns `externalDocs` as a Markdown link. */
export function createDocsLink(value: Json | undefined): string {
  const { url, description } = asObject(value)
  const address = asText(url)
  if (address === null || !/^https?:\/\//i.test(address)) return asText(description) ?? ''
  return `[${(asText(description) ?? address).replace(/[[\]\\]/g, '\\$&')}](<${address.replace(/[<>\s]/g, '')}>)`
}

function describeValue(
  scope: FieldScope,
  { schema }: FlatSchema,
  holder: JsonObject,
): { initial: string | null; facts: ApiFact[] } {
  const facts = createFacts(scope.words, schema)
  const items = listItems(schema)
  if (items !== null) {
    const flat = flatten(scope, items)
    facts.push(
      ...createFacts(scope.words, flat.schema),
      ...createExampleFacts(scope.words, flat.schema, flat.schema),
    )
  }
  facts.push(...createExampleFacts(scope.words, schema, holder))
  if (schema.default === undefined || schema.default === null) return { initial: null, facts }
  const text = formatValue(schema.default)
  if (text !== '' && text.length <= MAX_DEFAULT_CHARACTERS) return { initial: text, facts }
  const shown = text === '' ? '""' : text
  return {
    initial: null,
    facts: [{ label: scope.words.fieldDefault, values: [{ text: shown, note: '' }] }, ...facts],
  }
}

function listPills(scope: FieldScope, schema: JsonObject, extension: JsonObject): string[] {
  const pills: string[] = []
  if (schema.readOnly === true) pills.push(scope.words.apiReadOnly)
  if (schema.writeOnly === true) pills.push(scope.words.apiWriteOnly)
  for (const key of scope.settings.pills) pills.push(...pillTexts(key, getOwnField(schema, key)))
  return [...pills, ...listTexts(extension.post)]
}

/** A text is its own pill, true gives a pill with the key's name, a list one pill per entry. */
function pillTexts(key: string, value: Json | undefined): string[] {
  if (value === true) return [key]
  if (isNumber(value)) return [String(value)]
  return listTexts(value)
}

function listTexts(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => (isNumber(one) ? [String(one)] : (asText(one) ?? [])))
}

export interface NestingContext {
  /** Id prefix of nested fields. */
  path: AnchorPath
  /** Id of the field or heading above. */
  id: string
  name: string
  chain: readonly Json[]
}

/** Returns a schema's nested fields and variants, or a link if they are described elsewhere on the page. */
export function createNestedContent(
  scope: FieldScope,
  flat: FlatSchema,
  nestingContext: NestingContext,
): Pick<ApiField, 'blocks' | 'same'> {
  const items = listItems(flat.schema)
  if (items !== null) return createItemContent(scope, flat.schema, items, nestingContext)
  const nothing = { blocks: [], same: null }
  if (!hasNestedContent(flat)) return nothing
  const { origin } = flat
  const existing = origin === null ? undefined : scope.described.get(origin)
  const isRecursive = origin !== null && nestingContext.chain.includes(origin)
  const free = nestingContext.chain.length === 0 ? LIMITS.freeFields : LIMITS.freeInnerFields
  const isTooMany = scope.ids.size > free && flat.name !== null
  if (existing && (isRecursive || isTooMany)) return { blocks: [], same: existing }
  if (isRecursive || nestingContext.chain.length >= scope.depth) return nothing
  if (origin !== null && !existing) {
    scope.described.set(origin, { id: nestingContext.id, name: flat.name ?? nestingContext.name })
  }
  const chain = origin === null ? [...nestingContext.chain, null] : [...nestingContext.chain, origin]
  return { blocks: createBlocks(scope, flat, { ...nestingContext, chain }), same: null }
}

/** A list may have a description in addition to that of its items. */
function createItemContent(
  scope: FieldScope,
  list: JsonObject,
  items: Json,
  nestingContext: NestingContext,
): Pick<ApiField, 'blocks' | 'same'> {
  const flat = flatten(scope, items)
  const inside = createNestedContent(scope, flat, { ...nestingContext, path: joinItems(nestingContext.path) })
  const words = asText(flat.schema.description)
  if (inside.blocks.length === 0 || words === null || asText(list.description) === null) return inside
  return { ...inside, blocks: [{ kind: 'prose', markdown: words }, ...inside.blocks] }
}

function hasNestedContent(flat: FlatSchema): boolean {
  const { schema } = flat
  return (
    schema.properties !== undefined ||
    schema.patternProperties !== undefined ||
    tupleItems(schema).length > 0 ||
    typeof schema.additionalProperties === 'object' ||
    listVariants(flat).length > 0
  )
}

function createBlocks(scope: FieldScope, flat: FlatSchema, nestingContext: NestingContext): ApiBlock[] {
  const fields = propertyFields(scope, flat.schema, nestingContext)
  const blocks: ApiBlock[] = fields.length > 0 ? [{ kind: 'fields', fields }] : []
  for (const variants of listVariants(flat)) {
    const choice = variantChoice(scope, variants, nestingContext, flat.schema)
    if (choice) blocks.push(choice)
  }
  return blocks
}

function propertyFields(scope: FieldScope, schema: JsonObject, { path, chain }: NestingContext): ApiField[] {
  const sources: FieldSource[] = []
  for (const [name, property] of Object.entries(asObject(schema.properties))) {
    const own = joinPath(scope, path, name)
    sources.push({ name, path: own, chain, schema: property, isRequired: isRequiredIn(schema, name) })
  }
  for (const [pattern, property] of Object.entries(asObject(schema.patternProperties))) {
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
  return sources.flatMap((source) => createField(scope, source) ?? [])
}

/** Returns null if the type is sufficient: variants without fields, limits or descriptions. */
function variantChoice(
  scope: FieldScope,
  { kind, schemas, discriminator }: Variants,
  nestingContext: NestingContext,
  parent: JsonObject,
): ApiBlock | null {
  const flats = schemas.map((one) => removeParentFields(parent, flatten(scope, one)))
  const isPlain = flats.every(
    (flat) =>
      !hasNestedContent(flat) &&
      !hasNestedItems(scope, flat) &&
      getDescription(flat.schema, flat.schema) === '',
  )
  const hasFacts = flats.some((flat) => createFacts(scope.words, flat.schema).length > 0)
  // Variants that only require different fields of what is described already.
  const isOnlyRequired = flats.every(({ schema }) => Object.keys(schema).every((key) => key === 'required'))
  if (isPlain && isOnlyRequired && parent.properties !== undefined) return null
  if (isPlain && !hasFacts) return null
  const titles = listVariantTitles(scope, flats, discriminator)
  const choices = flats.flatMap((flat, index): ApiChoice[] => {
    if (scope.fieldsLeft <= 0) return []
    const title = titles[index] as string
    const path = joinVariant(nestingContext.path, index, title)
    const blocks = variantBlocks(scope, flat, { ...nestingContext, path })
    const anchor = isField(blocks) ? {} : { anchor: claimAnchor(scope, path) }
    return [{ title, note: '', blocks, ...anchor }]
  })
  const rule = kind === 'oneOf' ? scope.words.apiOneOf : scope.words.apiAnyOf
  const label = discriminator ? `${rule} · ${discriminator.field}` : rule
  return choices.length === 0 ? null : { kind: 'choice', label, choices, isStatus: false }
}

/** Removes the parent's fields from a variant that extends it; they are shown above the variants. */
function removeParentFields(parent: JsonObject, flat: FlatSchema): FlatSchema {
  const [above, own] = [asObject(parent.properties), asObject(flat.schema.properties)]
  const rest = Object.entries(own).filter(([name, schema]) => above[name] !== schema)
  if (rest.length === Object.keys(own).length) return flat
  return { ...flat, schema: { ...flat.schema, properties: Object.fromEntries(rest) } }
}

/** True if the blocks are the value itself, which has the variant's id. */
function isField(blocks: readonly ApiBlock[]): boolean {
  const [only] = blocks
  return blocks.length === 1 && only?.kind === 'fields' && only.fields[0]?.name === ''
}

function hasNestedItems(scope: FieldScope, { schema }: FlatSchema): boolean {
  const items = listItems(schema)
  return items !== null && hasNestedContent(flatten(scope, items))
}

/** Returns the description and fields of a variant; for one that is not an object, its type and limits. */
export function variantBlocks(
  scope: FieldScope,
  flat: FlatSchema,
  nestingContext: NestingContext,
): ApiBlock[] {
  const { schema } = flat
  const isObject = hasNestedContent(flat)
  const description = getDescription(schema, schema)
  const { blocks, same } = createNestedContent(scope, flat, nestingContext)
  if (isObject && same === null) {
    return description === '' ? blocks : [{ kind: 'prose', markdown: description }, ...blocks]
  }
  const { model: _, ...view } = createSchemaView(scope, flat)
  const value: ApiField = {
    ...claimAnchor(scope, nestingContext.path),
    ...view,
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
function listVariantTitles(
  scope: FieldScope,
  flats: readonly FlatSchema[],
  discriminator: Variants['discriminator'],
): string[] {
  const titleCounts = new Map<string, number>()
  return flats.map((flat) => {
    const wanted =
      asText(flat.schema.title) ??
      discriminator?.values.get(flat.name ?? '') ??
      findConstant(scope, flat, discriminator?.field) ??
      flat.name ??
      describeType(scope, flat)
    const count = (titleCounts.get(wanted) ?? 0) + 1
    titleCounts.set(wanted, count)
    return count === 1 ? wanted : `${wanted} ${count}`
  })
}

function findConstant(scope: FieldScope, { schema }: FlatSchema, field: string | undefined): string | null {
  if (field === undefined) return null
  const { schema: decided } = flatten(scope, getOwnField(schema.properties, field))
  const [only, other] = asArray(decided.enum)
  return asText(decided.const) ?? (other === undefined ? asText(only) : null)
}
