/** Converts schemas to displayed fields. */
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
  appendItemsSegment,
  appendPropertySegment,
  appendValuesSegment,
  appendVariantSegment,
  claimAnchor,
  type FieldScope,
  type SchemaView,
} from './field-scope.ts'
import { type ApiBlock, type ApiChoice, type ApiFact, type ApiField, LIMITS } from './reference.ts'

export interface FieldSource {
  name: string
  path: AnchorPath
  schema: Json | undefined
  isRequired: boolean
  /** Parameter, header or media type that contains the schema. Its description takes precedence. */
  holder?: JsonObject
  pills?: readonly string[]
  /** Enclosing schemas, outermost first. */
  chain?: readonly Json[]
}

/** Maximum number of variants with anchors for links. */
const MAX_VARIANTS = 20
/** Longer default values are listed below the name. */
const MAX_DEFAULT_CHARACTERS = 40

/** Returns null if the page has reached its field limit. */
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

/** Returns the view of a schema. It is the same on every page, so it is cached. */
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

/** Describes a schema. `holder` is the enclosing object if that has a description, otherwise the schema. */
function describeSource(
  scope: FieldScope,
  flat: FlatSchema,
  holder: JsonObject,
): Pick<ApiField, 'initial' | 'facts' | 'description'> {
  return { ...describeValue(scope, flat, holder), description: getDescription(holder, flat.schema) }
}

/**
 * Returns the paths of variants, so that links to them work. `only` is set if exactly one variant is not null, because
 * `anyOf: [x, { type: null }]` is shown as x.
 */
function variantPaths(
  scope: FieldScope,
  { schema, path }: FieldSource,
): { all: AnchorPath[]; only: AnchorPath | null } {
  const { oneOf, anyOf } = followReference(scope.root, schema)
  const listed = asArray(oneOf ?? anyOf).slice(0, MAX_VARIANTS)
  const all = listed.map((_, index) => appendVariantSegment(path, index, null))
  const shown = all.filter((_, index) => asObject(listed[index]).type !== 'null')
  return { all, only: shown.length === 1 ? (shown[0] ?? null) : null }
}

/** Returns the type. If the model has fields, its name replaces `object`. */
function getModelName(scope: FieldScope, flat: FlatSchema): string {
  const type = describeType(scope, flat)
  const items = listItems(flat.schema)
  const model = items === null ? flat : flatten(scope, items)
  if (model.name === null || !hasNestedContent(model)) return type
  return type.replace(/^object\b/, model.name)
}

/** Returns the description of the holder or, if it has none, of the schema. */
export function getDescription(holder: JsonObject, schema: JsonObject): string {
  const own = asText(holder.description) ?? asText(schema.description) ?? ''
  const { type, description } = asObject(schema.items)
  // If items are objects, their description is shown above their fields instead.
  const isStated = own === '' || type === 'string' || type === 'integer' || type === 'number'
  const items = isStated ? asText(description) : null
  return [own, items ?? '', createDocsLink(holder.externalDocs ?? schema.externalDocs)]
    .filter((part) => part !== '')
    .join('\n\n')
}

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

/** Returns the text itself, the key if the value is true, or one text per list entry. */
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
  /** Path of the parent, to which the names of nested fields are appended. */
  path: AnchorPath
  /** Id of the field or heading that contains the nested fields. */
  id: string
  name: string
  chain: readonly Json[]
}

/** Returns nested fields and variants, or a link if the page describes them elsewhere. */
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

/** Describes list items. Shows the description of the items here only if the list has a description as well. */
function createItemContent(
  scope: FieldScope,
  list: JsonObject,
  items: Json,
  nestingContext: NestingContext,
): Pick<ApiField, 'blocks' | 'same'> {
  const flat = flatten(scope, items)
  const inside = createNestedContent(scope, flat, {
    ...nestingContext,
    path: appendItemsSegment(nestingContext.path),
  })
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
    const own = appendPropertySegment(scope, path, name)
    sources.push({ name, path: own, chain, schema: property, isRequired: isRequiredIn(schema, name) })
  }
  for (const [pattern, property] of Object.entries(asObject(schema.patternProperties))) {
    const name = `/${pattern}/`
    sources.push({
      name,
      path: appendPropertySegment(scope, path, name),
      chain,
      schema: property,
      isRequired: false,
    })
  }
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties !== null) {
    const name = `{${scope.words.apiKey}}`
    const own = appendValuesSegment(path)
    sources.push({ name, path: own, chain, schema: schema.additionalProperties, isRequired: false })
  }
  for (const [index, item] of tupleItems(schema).entries()) {
    const name = `[${index}]`
    sources.push({
      name,
      path: appendPropertySegment(scope, path, name),
      chain,
      schema: item,
      isRequired: false,
    })
  }
  return sources.flatMap((source) => createField(scope, source) ?? [])
}

/** Returns null if the type alone is sufficient, because no variant has fields, limits or a description. */
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
  // Whether the variants differ only in which fields are required.
  const isOnlyRequired = flats.every(({ schema }) => Object.keys(schema).every((key) => key === 'required'))
  if (isPlain && isOnlyRequired && parent.properties !== undefined) return null
  if (isPlain && !hasFacts) return null
  const titles = listVariantTitles(scope, flats, discriminator)
  const choices = flats.flatMap((flat, index): ApiChoice[] => {
    if (scope.fieldsLeft <= 0) return []
    const title = titles[index] as string
    const path = appendVariantSegment(nestingContext.path, index, title)
    const blocks = variantBlocks(scope, flat, { ...nestingContext, path })
    const anchor = isField(blocks) ? {} : { anchor: claimAnchor(scope, path) }
    return [{ title, note: '', blocks, ...anchor }]
  })
  const rule = kind === 'oneOf' ? scope.words.apiOneOf : scope.words.apiAnyOf
  const label = discriminator ? `${rule} · ${discriminator.field}` : rule
  return choices.length === 0 ? null : { kind: 'choice', label, choices, isStatus: false }
}

/** Removes inherited fields from a variant, because they are shown above the variants. */
function removeParentFields(parent: JsonObject, flat: FlatSchema): FlatSchema {
  const [above, own] = [asObject(parent.properties), asObject(flat.schema.properties)]
  const rest = Object.entries(own).filter(([name, schema]) => above[name] !== schema)
  if (rest.length === Object.keys(own).length) return flat
  return { ...flat, schema: { ...flat.schema, properties: Object.fromEntries(rest) } }
}

/** Returns whether the blocks are a single unnamed field, which already has the id of the variant. */
function isField(blocks: readonly ApiBlock[]): boolean {
  const [only] = blocks
  return blocks.length === 1 && only?.kind === 'fields' && only.fields[0]?.name === ''
}

function hasNestedItems(scope: FieldScope, { schema }: FlatSchema): boolean {
  const items = listItems(schema)
  return items !== null && hasNestedContent(flatten(scope, items))
}

/** Returns the description and fields of a variant, or its type and limits if it is not an object. */
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

/** Returns a unique title for each variant: its title, discriminator value, name or type. */
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
