/** What the parts of one page share while it is made: bounds, ids that are taken, models that are described. */
import type { Json, JsonObject } from '../../openapi/api-json.ts'
import { createSchemaScope, type SchemaScope } from '../../openapi/schema.ts'
import type { SiteConfig } from '../../site/config.ts'
import { slug } from '../isolate/slug.ts'
import type { ApiWords } from '../theme/api-words.ts'

export interface FieldScope extends SchemaScope {
  words: ApiWords
  settings: SiteConfig['api']
  ids: Set<string>
  /** Names that were made parts of ids. */
  slugs: Map<string, string>
  fieldsLeft: number
  /** Schemas inside of each other that are described. */
  depth: number
  /** By the object that a model is: the field or heading below which its fields stand. */
  described: Map<Json, { id: string; name: string }>
}

export function createFieldScope(
  root: JsonObject,
  settings: SiteConfig['api'],
  words: ApiWords,
  bounds: Pick<FieldScope, 'depth' | 'fieldsLeft'>,
): FieldScope {
  return {
    ...createSchemaScope(root),
    words,
    settings,
    ids: new Set(),
    slugs: new Map(),
    ...bounds,
    described: new Map(),
  }
}

/** The beginning of an id, one part longer. */
export function joinPath(scope: FieldScope, path: string, name: string): string {
  let part = scope.slugs.get(name)
  if (part === undefined) {
    part = slug(name.replaceAll('/', '-'))
    scope.slugs.set(name, part)
  }
  return path === '' || part === '' ? path || part : `${path}-${part}`
}

/** An id that no other part of the page has. */
export function claimId(scope: FieldScope, path: string): string {
  const wanted = path || 'field'
  let id = wanted
  for (let count = 2; scope.ids.has(id); count++) id = `${wanted}-${count}`
  scope.ids.add(id)
  return id
}
