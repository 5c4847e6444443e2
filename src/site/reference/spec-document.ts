/** Parses an API description into a document without external references. */
import { asObject, type JsonObject } from '../../openapi/api-json.ts'
import { embedReferences, type ReferenceFault } from './spec-references.ts'
import type { SpecFault, SpecSources } from './spec-sources.ts'
import { upgradeSwagger } from './spec-swagger.ts'
import { parseJsonOrYaml } from './spec-text.ts'

export interface ApiDocument {
  kind: 'openapi' | 'asyncapi'
  /** Document in OpenAPI 3 or AsyncAPI format, in which every resolvable `$ref` starts with `#`. */
  root: JsonObject
  faults: readonly ReferenceFault[]
}

/** `name` is a path below the docs folder or a URL. */
export async function readApiDocument(sources: SpecSources, name: string): Promise<ApiDocument | SpecFault> {
  const text = await sources.read(name)
  if (typeof text !== 'string') return text
  if (!looksLikeSpec(text)) return { kind: 'not_a_spec' }
  const parsed = parseJsonOrYaml(text)
  if (parsed === undefined) return { kind: 'unreadable' }
  const root = asObject(parsed)
  const kind = detectKind(root)
  if (kind === null) return { kind: 'not_a_spec' }
  const faults = await embedReferences(sources, name, root)
  return {
    kind: kind === 'asyncapi' ? 'asyncapi' : 'openapi',
    root: kind === 'swagger' ? upgradeSwagger(root) : root,
    faults,
  }
}

/** Fast test that avoids parsing every data file of a site. */
function looksLikeSpec(text: string): boolean {
  return /(?:^|[\s{,"'])(?:openapi|swagger|asyncapi)["']?\s*:/.test(text)
}

function detectKind(root: JsonObject): 'openapi' | 'swagger' | 'asyncapi' | null {
  if (typeof root.asyncapi === 'string') return 'asyncapi'
  if (root.swagger !== undefined) return 'swagger'
  return root.openapi === undefined ? null : 'openapi'
}
