/** What the parts of one page share while it is made: bounds, ids that are taken, models that are described. */
import type { Json, JsonObject } from '../../site/api-json.ts'
import type { SiteConfig } from '../../site/config.ts'
import { slug } from '../isolate/slug.ts'
import type { ApiWords } from '../theme/ui-words-api.ts'
import { LIMITS } from './reference.ts'
import { createSchemaScope, type SchemaScope } from './schema.ts'

export interface FieldScope extends SchemaScope {
  words: ApiWords
  settings: SiteConfig['api']
  ids: Set<string>
  fieldsLeft: number
  /** By the object that a model is: the field or heading below which its fields stand. */
  described: Map<Json, { id: string; name: string }>
}

export function createFieldScope(root: JsonObject, settings: SiteConfig['api'], words: ApiWords): FieldScope {
  return {
    ...createSchemaScope(root),
    words,
    settings,
    ids: new Set(),
    fieldsLeft: LIMITS.fields,
    described: new Map(),
  }
}

/** An id that no other part of the page has, from the words that lead to it. */
export function claimId(scope: FieldScope, ...path: string[]): string {
  const wanted =
    slug(
      path
        .filter((part) => part !== '')
        .join('-')
        .replaceAll('/', '-'),
    ) || 'field'
  let id = wanted
  for (let count = 2; scope.ids.has(id); count++) id = `${wanted}-${count}`
  scope.ids.add(id)
  return id
}
