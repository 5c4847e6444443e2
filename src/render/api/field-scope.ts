/** State shared by all parts of a page while it is built: limits, used ids, models already described. */
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
  /** Cached id parts, by name. */
  slugs: Map<string, AnchorPath>
  /** Alternative ids of locations, used if nothing else claims them. */
  wanted: { others: string[]; ids: readonly string[] }[]
  /** Alternative id prefixes, for locations that several paths share. */
  shared: { path: string; other: string }[]
  fieldsLeft: number
  /** Maximum nesting of schemas that are described. */
  depth: number
  /** Field or heading under which a model's fields are listed, by the model's object. */
  described: Map<Json, { id: string; name: string }>
  /** Presentation of schemas, shared by all pages. */
  views: WeakMap<FlatSchema, SchemaView>
}

/** Everything a page shows of a schema except its name and nested fields. */
export interface SchemaView
  extends Pick<ApiField, 'type' | 'before' | 'pills' | 'initial' | 'description' | 'facts'> {
  /** Type shown where the nested fields are not. */
  model: string
}

/** State shared by all pages of a description. */
interface Shared {
  slugs: FieldScope['slugs']
  views: WeakMap<ApiTexts, FieldScope['views']>
}

const sharedByRoot = new WeakMap<JsonObject, Shared>()

function getShared(root: JsonObject): Shared {
  const shared = sharedByRoot.get(root) ?? { slugs: new Map(), views: new WeakMap() }
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
    wanted: [],
    shared: [],
    ...bounds,
    described: new Map(),
    views,
  }
}

/**
 * Path to a field, as expressed by its id. Readers link to these ids, so the rule must never change: the section of
 * the page, then names from the outside in, `items` for list entries, `one-of-1` for the second of several variants,
 * `additional-properties` for the values of a map.
 */
export interface AnchorPath {
  id: string
  /** Path without `items`. */
  short: string
  /** Path by the previous rule. */
  earlier: string
}

/** Maximum length of one name, in characters. */
const MAX_NAME_LENGTH = 300

export function anchorPath(id: string, earlier = id, short = id): AnchorPath {
  return { id, short, earlier }
}

/** Appends a name to an id prefix. */
export function joinPath(scope: FieldScope, path: AnchorPath, name: string): AnchorPath {
  let part = scope.slugs.get(name)
  if (part === undefined) {
    const text = name.slice(0, MAX_NAME_LENGTH)
    const id = fieldSlug(text)
    part = { id, short: id, earlier: slug(text.replaceAll('/', '-')) }
    scope.slugs.set(name, part)
  }
  return joinParts(path, part)
}

export function joinItems(path: AnchorPath): AnchorPath {
  return joinParts(path, { id: 'items', short: '', earlier: '' })
}

export function joinValues(path: AnchorPath): AnchorPath {
  return joinParts(path, { id: 'additional-properties', short: 'additional-properties', earlier: 'key' })
}

/** `earlier` is null if the variant did not contribute to ids by the previous rule. */
export function joinVariant(path: AnchorPath, index: number, title: string | null): AnchorPath {
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

/** Claims the id of a location and registers alternative ids, which are settled once the reference is complete. */
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

/** Assigns alternative ids. Regular ids take precedence, so call this at the end. */
export function claimOtherIds(scope: FieldScope): void {
  for (const { others, ids } of scope.wanted) {
    const [own = ''] = ids
    const more = scope.shared.flatMap(({ path, other }) =>
      own.startsWith(`${path}-`) ? [other + own.slice(path.length)] : [],
    )
    for (const id of [...ids, ...more]) {
      if (id === '' || scope.ids.has(id)) continue
      scope.ids.add(id)
      others.push(id)
    }
  }
}

/** Returns an id that is unique on the page. */
export function claimId(scope: FieldScope, path: string): string {
  const wanted = path || 'field'
  let id = wanted
  for (let count = 2; scope.ids.has(id); count++) id = `${wanted}-${count}`
  scope.ids.add(id)
  return id
}
