/**
 * Embeds files referenced by `$ref` in the document, below `x-octavo-files`, and rewrites the `$ref`s, so that all
 * further steps use a single document.
 *
 * Files must be in the docs folder; a description that was fetched may only refer to URLs on its own host.
 */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'
import { type Json, type JsonObject, resolvePointer } from '../../openapi/api-json.ts'
import { isSpecUrl, type SpecSources } from './spec-sources.ts'
import { parseJsonOrYaml } from './spec-text.ts'

export interface ReferenceFault {
  reference: string
  from: string
}

const FILES_KEY = 'x-octavo-files'
const MAX_FILES = 300
const MAX_CHARACTERS = 60 << 20
const MAX_FAULTS = 20
/** Keys whose values are data, so that a `$ref` in them is not resolved. */
const DATA_KEYS = new Set(['example', 'default', 'enum', 'const', 'value'])
/** Keys whose values are maps with arbitrary names, so that a property may be called `default`. */
const MAP_KEYS = new Set(
  'properties patternProperties schemas definitions $defs responses parameters headers examples messages channels'.split(
    ' ',
  ),
)

/** Modifies `root`; resolves to the unresolved references, including those within the document. */
export async function embedReferences(
  sources: SpecSources,
  name: string,
  root: JsonObject,
): Promise<ReferenceFault[]> {
  const embedding: Embedding = {
    sources,
    root,
    files: {},
    prefixes: new Map([[name, '#']]),
    waiting: [{ name, value: root }],
    faults: [],
    characters: 0,
  }
  const links: { holder: JsonObject; reference: string; from: string }[] = []
  for (let part = embedding.waiting.pop(); part; part = embedding.waiting.pop()) {
    for (const holder of collectReferences(part.value)) {
      const reference = String(holder.$ref)
      const target = await resolveTarget(embedding, part.name, reference)
      if (target === null) report(embedding, reference, part.name)
      else {
        holder.$ref = target
        links.push({ holder, reference, from: part.name })
      }
    }
  }
  if (Object.keys(embedding.files).length > 0) root[FILES_KEY] = embedding.files
  for (const { holder, reference, from } of links) {
    if (resolvePointer(root, String(holder.$ref)) === undefined) report(embedding, reference, from)
  }
  return embedding.faults
}

interface Embedding {
  sources: SpecSources
  root: JsonObject
  files: JsonObject
  /** Pointers to the embedded content in the document, keyed by file or URL. */
  prefixes: Map<string, string>
  waiting: { name: string; value: Json }[]
  faults: ReferenceFault[]
  characters: number
}

function report({ faults }: Embedding, reference: string, from: string): void {
  const isKnown = faults.some((one) => one.reference === reference && one.from === from)
  if (!isKnown && faults.length < MAX_FAULTS) faults.push({ reference, from })
}

function collectReferences(value: Json): JsonObject[] {
  const found: JsonObject[] = []
  const seen = new Set<object>()
  const rest: { one: Json; isMap: boolean }[] = [{ one: value, isMap: false }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { one, isMap } = next
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    if (Array.isArray(one)) {
      for (const item of one) rest.push({ one: item, isMap: false })
      continue
    }
    if (typeof one.$ref === 'string') found.push(one)
    for (const [key, field] of Object.entries(one)) {
      if (key !== FILES_KEY && (isMap || !DATA_KEYS.has(key)))
        rest.push({ one: field, isMap: MAP_KEYS.has(key) })
    }
  }
  return found
}

/** Returns the pointer that replaces a reference; null if its target is unavailable. */
async function resolveTarget(embedding: Embedding, from: string, reference: string): Promise<string | null> {
  const [path = '', fragment = ''] = reference.split('#', 2)
  const name = path === '' ? from : resolveName(from, path)
  if (name === null) return null
  const prefix = embedding.prefixes.get(name) ?? (await embed(embedding, name))
  if (prefix === null) return null
  const rest = fragment.replace(/\/$/, '')
  return rest === '' ? prefix : rest.startsWith('/') ? prefix + rest : null
}

function resolveName(from: string, path: string): string | null {
  if (isSpecUrl(from)) {
    const url = URL.parse(path, from)
    return url !== null && url.host === new URL(from).host ? url.href : null
  }
  if (isSpecUrl(path)) return path
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return null
  const joined = posix.normalize(posix.join(posix.dirname(from), decodePath(path)))
  return joined.startsWith('..') || joined.startsWith('/') ? null : joined
}

async function embed(embedding: Embedding, name: string): Promise<string | null> {
  const { files, prefixes, sources } = embedding
  const count = prefixes.size
  if (count > MAX_FILES || embedding.characters > MAX_CHARACTERS) return null
  const text = await sources.read(name)
  if (typeof text !== 'string') return null
  embedding.characters += text.length
  const value = parseJsonOrYaml(text)
  if (value === undefined || typeof value !== 'object' || value === null) return null
  files[`f${count}`] = value
  const prefix = `#/${FILES_KEY}/f${count}`
  prefixes.set(name, prefix)
  embedding.waiting.push({ name, value })
  return prefix
}
