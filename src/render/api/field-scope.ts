/** What the parts of one page share while it is made: bounds, ids that are taken, models that are described. */
import type { Json, JsonObject } from '../../openapi/api-json.ts'
import { createSchemaScope, type FlatSchema, type SchemaScope } from '../../openapi/schema.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { fieldSlug, slug } from '../tree/slug.ts'
import type { ApiWords } from '../words/api-words.ts'
import type { ApiField } from './reference.ts'

export interface FieldScope extends SchemaScope {
  words: ApiWords
  settings: SiteConfig['api']
  ids: Set<string>
  /** Names that were made parts of ids. */
  slugs: Map<string, AnchorPath>
  /** Ids by which a place may be found too, where nothing else has them. */
  wanted: { others: string[]; ids: readonly string[] }[]
  /** Beginnings of ids below which a place is found too: it stands for several. */
  shared: { path: string; other: string }[]
  fieldsLeft: number
  /** Schemas inside of each other that are described. */
  depth: number
  /** By the object that a model is: the field or heading below which its fields stand. */
  described: Map<Json, { id: string; name: string }>
  /** Schemas as every page shows them. */
  looks: WeakMap<FlatSchema, SchemaLook>
}

/** All that a page shows of a schema beside its name and what lies inside. */
export interface SchemaLook
  extends Pick<ApiField, 'type' | 'before' | 'pills' | 'initial' | 'description' | 'facts'> {
  /** The type where the fields inside are not shown. */
  model: string
}

/** Shared by all pages of a description. */
interface Shared {
  slugs: FieldScope['slugs']
  looks: WeakMap<ApiWords, FieldScope['looks']>
}

const sharedByRoot = new WeakMap<JsonObject, Shared>()

function sharedOf(root: JsonObject): Shared {
  const shared = sharedByRoot.get(root) ?? { slugs: new Map(), looks: new WeakMap() }
  sharedByRoot.set(root, shared)
  return shared
}

export function createFieldScope(
  root: JsonObject,
  settings: SiteConfig['api'],
  words: ApiWords,
  bounds: Pick<FieldScope, 'depth' | 'fieldsLeft'>,
): FieldScope {
  const shared = sharedOf(root)
  const looks = shared.looks.get(words) ?? new WeakMap<FlatSchema, SchemaLook>()
  shared.looks.set(words, looks)
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
    looks,
  }
}

/**
 * The way to a field, as its id says it. Readers' links depend on it, so the rule never changes: the section of the
 * page, then names from the outside in, `items` for the entries of a list, `one-of-1` for the second of several
 * variants, `additional-properties` for the values of a map.
 */
export interface AnchorPath {
  id: string
  /** Without `items`. */
  short: string
  /** By the rule from before there was this one. */
  earlier: string
}

/** Characters of one name. */
const MOST_NAME = 300

export function anchorPath(id: string, earlier = id, short = id): AnchorPath {
  return { id, short, earlier }
}

/** The beginning of ids, one name longer. */
export function joinPath(scope: FieldScope, path: AnchorPath, name: string): AnchorPath {
  let part = scope.slugs.get(name)
  if (part === undefined) {
    const text = name.slice(0, MOST_NAME)
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

/** `earlier`: null where a variant added nothing to ids. */
export function joinVariant(path: AnchorPath, index: number, title: string | null): AnchorPath {
  const id = `one-of-${index}`
  const earlier = title === null ? '' : slug(title.slice(0, MOST_NAME).replaceAll('/', '-'))
  return joinParts(path, { id, short: id, earlier })
}

function joinParts(path: AnchorPath, part: AnchorPath): AnchorPath {
  return {
    id: joinTexts(path.id, part.id),
    short: joinTexts(path.short, part.short),
    earlier: joinTexts(path.earlier, part.earlier),
  }
}

function joinTexts(start: string, end: string): string {
  return start === '' || end === '' ? start || end : `${start}-${end}`
}

/** The id of a place, and others that lead to it; those are known once the reference is whole. */
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

/** Ids of the rule come before all others, so this is for the end. */
export function settleOthers(scope: FieldScope): void {
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

/** An id that no other part of the page has. */
export function claimId(scope: FieldScope, path: string): string {
  const wanted = path || 'field'
  let id = wanted
  for (let count = 2; scope.ids.has(id); count++) id = `${wanted}-${count}`
  scope.ids.add(id)
  return id
}
