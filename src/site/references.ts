/** `$ref` in docs.json: the object is replaced by the content of another JSON file. */
import { posix } from 'node:path'
import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { getNodeLine, isFields, isList, type JsonFields, type JsonNode, parseJson } from './json.ts'
import { type ClosestFinder, createClosestFinder } from './navigation/closest.ts'
import { quote } from './problems.ts'
import { readTextFile } from './text.ts'

/**
 * Maximum number of references. Prevents exponential expansion: a file with two references to files that each have
 * two references, and so on.
 */
const MAX_REFERENCES = 10_000
const MAX_NODES = 1_000_000

export interface ExpandedJson {
  root: JsonNode
  files: ReadonlySet<string>
}

interface Expansion {
  tree: FileTree
  problems: Problem[]
  parsed: Map<string, JsonNode | null>
  references: number
  nodes: number
  isStopped: boolean
  /** Number of nodes in each subtree without `$ref`; null for subtrees with a `$ref`. */
  plainSizes: WeakMap<JsonNode, number | null>
  jsonFiles: ClosestFinder | null
}

/**
 * Resolves every `$ref` below `root`, relative to the file that contains it and never outside the tree. Keys next to
 * a `$ref` override those of the referenced object; an unresolved reference is reported, and the other keys remain.
 */
export async function expandReferences(
  tree: FileTree,
  problems: Problem[],
  root: JsonNode,
): Promise<ExpandedJson> {
  const expansion: Expansion = {
    tree,
    problems,
    parsed: new Map([[root.source.file, root]]),
    references: 0,
    nodes: 0,
    isStopped: false,
    plainSizes: new WeakMap(),
    jsonFiles: null,
  }
  const expanded = await expandNode(expansion, root, [root.source.file])
  return { root: expanded, files: new Set(expansion.parsed.keys()) }
}

async function expandNode(expansion: Expansion, node: JsonNode, chain: readonly string[]): Promise<JsonNode> {
  const plainSize = measurePlainSize(expansion.plainSizes, node)
  // Shared subtrees are read only once, but each occurrence counts, because it has to be processed.
  if (exceedsExpansionLimit(expansion, node, plainSize ?? 1)) return { ...node, value: null }
  if (plainSize !== null) return node
  if (isList(node.value)) {
    const items: JsonNode[] = []
    for (const item of node.value) items.push(await expandNode(expansion, item, chain))
    return { ...node, value: items }
  }
  if (!isFields(node.value)) return node
  const reference = node.value.get('$ref')
  const fields = await expandFields(expansion, node.value, chain)
  if (!reference || typeof reference.value !== 'string') return { ...node, value: fields }
  const target = await followReference(expansion, reference, reference.value, chain)
  if (target === null) return { ...node, value: fields.size > 0 ? fields : null }
  if (!isFields(target.value)) return target
  return { ...target, value: new Map([...target.value, ...fields]) }
}

async function expandFields(
  expansion: Expansion,
  fields: JsonFields,
  chain: readonly string[],
): Promise<Map<string, JsonNode>> {
  const expanded = new Map<string, JsonNode>()
  for (const [key, value] of fields) {
    if (key === '$ref' && typeof value.value === 'string') continue
    expanded.set(key, await expandNode(expansion, value, chain))
  }
  return expanded
}

async function followReference(
  expansion: Expansion,
  node: JsonNode,
  reference: string,
  chain: readonly string[],
): Promise<JsonNode | null> {
  expansion.references++
  const path = reference.startsWith('/')
    ? posix.normalize(reference.slice(1))
    : posix.normalize(posix.join(posix.dirname(node.source.file), reference))
  if (path.startsWith('..') || /^[a-z][a-z0-9+.-]*:/i.test(reference)) {
    return reportReference(
      expansion,
      node,
      'config.ref_outside',
      `$ref ${quote(reference)} points outside the docs folder.`,
    )
  }
  if (chain.includes(path)) {
    const circle = [...chain.slice(chain.indexOf(path)), path].join(' → ')
    return reportReference(expansion, node, 'config.ref_cycle', `Circular $ref: ${circle}.`)
  }
  if (!expansion.tree.files.has(path)) {
    expansion.jsonFiles ??= createClosestFinder(
      [...expansion.tree.files.keys()].filter((file) => file.endsWith('.json')),
    )
    const closest = expansion.jsonFiles.find(path)
    const remedy = closest ? `Did you mean ${closest}?` : 'Create the file, or remove the $ref.'
    return reportReference(
      expansion,
      node,
      'config.ref_missing',
      `$ref points to ${path}, which does not exist.`,
      remedy,
    )
  }
  let target = expansion.parsed.get(path)
  if (target === undefined) {
    target = parseJson(expansion.problems, path, await readTextFile(expansion.tree, path))
    expansion.parsed.set(path, target)
  }
  return target === null ? null : expandNode(expansion, target, [...chain, path])
}

/** Adds `size` and returns whether a limit is exceeded. Reports that once; after that, nothing more is expanded. */
function exceedsExpansionLimit(expansion: Expansion, node: JsonNode, size: number): boolean {
  if (expansion.isStopped) return true
  expansion.nodes += size
  if (expansion.nodes <= MAX_NODES && expansion.references <= MAX_REFERENCES) return false
  expansion.isStopped = true
  reportReference(expansion, node, 'config.ref_too_large', 'The content included with $ref is too large.')
  return true
}

function reportReference(
  expansion: Expansion,
  node: JsonNode,
  code: string,
  message: string,
  remedy = 'Use the path of a JSON file in the docs folder, relative to the file that contains the $ref.',
): null {
  expansion.problems.push({
    file: node.source.file,
    line: getNodeLine(node),
    code,
    level: 'error',
    message,
    remedy,
  })
  return null
}

/**
 * Returns the size of a subtree, or null if it contains a `$ref`. Most of a large navigation has no `$ref`
 * and is reused unchanged.
 */
function measurePlainSize(sizes: Expansion['plainSizes'], node: JsonNode): number | null {
  if (!isList(node.value) && !isFields(node.value)) return 1
  const cached = sizes.get(node)
  if (cached !== undefined) return cached
  let size: number | null = isFields(node.value) && node.value.has('$ref') ? null : 1
  for (const child of node.value.values()) {
    const childSize = measurePlainSize(sizes, child)
    size = size === null || childSize === null ? null : size + childSize
  }
  sizes.set(node, size)
  return size
}
