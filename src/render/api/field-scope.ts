/** State of building a page: limits, used ids, described models. */
import type { Json, JsonObject } from '../../openapi/api-json.ts'
import { createSchemaScope, type FlatSchema, type SchemaScope } from '../../openapi/schema.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { fieldSlug, slug } from '../tree/slug.ts'
import type { ApiTexts } from '../words/api-texts.ts'
import type { ApiField } from './reference.ts'

export interface FieldScope extends SchemaScope {
  words: ApiTexts
  settings: SiteConfig['api']
  ids: Set<string>
  /** Cached parts of ids, by field name. */
  slugs: Map<string, AnchorPath>
  /** Alternative ids, used for links if they are unique. */
  wanted: { others: string[]; ids: readonly string[] }[]
  /** Alternative id prefixes of content that is shared by several paths. */
  shared: { path: string; other: string }[]
  fieldsLeft: number
  /** Maximum nesting of described schemas. */
  depth: number
  /** Field or heading that lists the fields of a model, by schema. */
  described: Map<Json, { id: string; name: string }>
  /** Cached views of schemas, shared by all pages. */
  views: WeakMap<FlatSchema, SchemaView>
  /** Examples made from schemas, by their options; shared by all pages. */
  examples: Map<Json, Map<string, Json>>
}

/** Displayed parts of a schema, except for its name and nested fields. */
export interface SchemaView
  extends Pick<ApiField, 'type' | 'before' | 'pills' | 'initial' | 'description' | 'facts'> {
  /** Type to show if nested fields are not shown. */
  model: string
}

interface Shared {
  slugs: FieldScope['slugs']
  examples: FieldScope['examples']
  views: WeakMap<ApiTexts, FieldScope['views']>
}

const sharedByRoot = new WeakMap<JsonObject, Shared>()

function getShared(root: JsonObject): Shared {
  const shared = sharedByRoot.get(root) ?? {
    slugs: new Map(),
    examples: new Map(),
    views: new WeakMap(),
  }
  sharedByRoot.set(root, shared)
  return shared
}

export function createFieldScope(
  root: JsonObject,
  settings: SiteConfig['api'],
  words: ApiTexts,
  bounds: Pick<FieldScope, 'depth' | 'fieldsLeft'>,
): FieldScope {
  const shared = getShared(root)
  const views = shared.views.get(words) ?? new WeakMap<FlatSchema, SchemaView>()
  shared.views.set(words, views)
  return {
    ...createSchemaScope(root),
    words,
    settings,
    ids: new Set(),
    slugs: shared.slugs,
    examples: shared.examples,
    wanted: [],
    shared: [],
    ...bounds,
    described: new Map(),
    views,
  }
}

/**
 * Path that determines the id of a field. Readers link to these ids, so the rule must never change: the
 * section of the page, then names from the outermost to the innermost, `items` for list entries, `one-of-1`
 * for the second of several variants, `additional-properties` for the values of a map.
 */
export interface AnchorPath {
  id: string
  short: string
  /** Id according to the previous rule. */
  earlier: string
}

const MAX_NAME_LENGTH = 300

export function anchorPath(id: string, earlier = id, short = id): AnchorPath {
  return { id, short, earlier }
}

export function appendPropertySegment(scope: FieldScope, path: AnchorPath, name: string): AnchorPath {
  let part = scope.slugs.get(name)
  if (part === undefined) {
    const text = name.slice(0, MAX_NAME_LENGTH)
    const id = fieldSlug(text)
    part = { id, short: id, earlier: slug(text.replaceAll('/', '-')) }
    scope.slugs.set(name, part)
  }
  return joinParts(path, part)
}

export function appendItemsSegment(path: AnchorPath): AnchorPath {
  return joinParts(path, { id: 'items', short: '', earlier: '' })
}

export function appendValuesSegment(path: AnchorPath): AnchorPath {
  return joinParts(path, { id: 'additional-properties', short: 'additional-properties', earlier: 'key' })
}

/** Appends a variant. `title` is null if the previous rule did not include the variant. */
export function appendVariantSegment(path: AnchorPath, index: number, title: string | null): AnchorPath {
  const id = `one-of-${index}`
  const earlier = title === null ? '' : slug(title.slice(0, MAX_NAME_LENGTH).replaceAll('/', '-'))
  return joinParts(path, { id, short: id, earlier })
}

function joinParts(path: AnchorPath, part: AnchorPath): AnchorPath {
  return {
    id: joinIdParts(path.id, part.id),
    short: joinIdParts(path.short, part.short),
    earlier: joinIdParts(path.earlier, part.earlier),
  }
}

function joinIdParts(start: string, end: string): string {
  return start === '' || end === '' ? start || end : `${start}-${end}`
}

/** Assigns an id. Registers alternative ids, which `claimOtherIds` assigns later. */
export function claimAnchor(
  scope: FieldScope,
  path: AnchorPath,
  more: readonly AnchorPath[] = [],
): { id: string; others: readonly string[] } {
  const id = claimId(scope, path.id)
  const others: string[] = []
  const ids = [path, ...more].flatMap((one) => [one.id, one.short, one.earlier])
  scope.wanted.push({ others, ids })
  return { id, others }
}

/** Assigns alternative ids. Must be called last, because regular ids take precedence. */
export function claimOtherIds(scope: FieldScope): void {
  const claim = (id: string, others: string[]) => {
    if (id === '' || scope.ids.has(id)) return
    scope.ids.add(id)
    others.push(id)
  }
  const shared = scope.shared.map(({ path, other }) => ({ start: `${path}-`, other: `${other}-` }))
  for (const { others, ids } of scope.wanted) {
    const [own = ''] = ids
    for (const id of ids) claim(id, others)
    for (const { start, other } of shared)
      if (own.startsWith(start)) claim(other + own.slice(start.length), others)
  }
}

export function claimId(scope: FieldScope, path: string): string {
  const wanted = path || 'field'
  let id = wanted
  for (let count = 2; scope.ids.has(id); count++) id = `${wanted}-${count}`
  scope.ids.add(id)
  return id
}
