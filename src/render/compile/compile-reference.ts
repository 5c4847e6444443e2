/** Compiles the API content of a page to a tree for the isolate. */
import { LRUCache } from 'lru-cache'
import type { Problem } from '../../base/errors/problem.ts'
import { descriptionMarkdown, isPlain } from '../../openapi/description.ts'
import type { ApiReference } from '../api/reference.ts'
import type { ReferencePart } from '../api/reference-parts.ts'
import { type AuthoredPanels, referenceTree } from '../api/reference-tree.ts'
import type { MdxModule, ScriptModule, TreeNode } from '../tree/program.ts'
import type { BodyRules, ParsedBody } from './compile-repair.ts'
import { compileTree, type TreeDeps } from './compile-tree.ts'
import type { MathResult } from './math.ts'

export interface CompileReferenceDeps {
  /** Registers a component with a label. Returns its number. */
  mark(label: string): number
  /** Adds a part that bypasses the isolate. Returns its number. */
  part(part: ReferencePart): number
  problem(code: string, message: string, remedy: string, level: Problem['level']): void
  math(tex: string, isBlock: boolean): MathResult
  hasMath: boolean
  parse(source: string, rules: BodyRules): ParsedBody
}

export function compileReference(
  deps: CompileReferenceDeps,
  reference: ApiReference,
  modules: Readonly<Record<string, MdxModule | ScriptModule>>,
): TreeNode[] {
  /** Number of side effects so far. Trees whose compilation has side effects are not cached. */
  let traces = 0
  const tree: TreeDeps = {
    file: reference.source,
    isSnippet: false,
    // Descriptions cannot use variables and expressions of the site.
    restore: (text) => text,
    addCode: () => -1,
    mark: (_, label) => {
      traces += 1
      return deps.mark(label)
    },
    noteTwoslash: () => undefined,
    sample: () => undefined,
    problem: (_, code, message, remedy) => {
      traces += 1
      deps.problem(code, message, remedy, 'warning')
    },
    math: (tex, isBlock) => {
      traces += 1
      return deps.math(tex, isBlock)
    },
  }
  const markdown = (text: string, isTop: boolean): TreeNode[] => {
    const plain = plainParagraph(text)
    if (plain !== null) return [plain]
    const key = JSON.stringify([reference.source, isTop, deps.hasMath, text])
    const cached = trees.get(key)
    if (cached) return cached
    const before = traces
    const all = compileTree(
      tree,
      deps.parse(descriptionMarkdown(text), { isMarkdownFile: true, hasMath: deps.hasMath }).root,
    )
    const nodes = isTop ? all : all.map(withoutHeadings)
    if (traces === before) trees.set(key, nodes)
    return nodes
  }
  return referenceTree({ markdown, mark: deps.mark, part: deps.part }, reference, ownPanels(modules))
}

/**
 * Parses a line without syntax other than inline code, as in most descriptions. Returns null for other text.
 */
export function plainParagraph(text: string): TreeNode | null {
  if (isPlain(text)) return { tag: 'p', isPlain: true, children: [text] }
  if (!text.includes('`') || text !== text.trim()) return null
  const parts = text.split(CODE_SPAN)
  // Parts alternate between text and code.
  if (!parts.every((part, index) => index % 2 === 1 || isPlain(part))) return null
  const children = parts.flatMap((part, index): TreeNode[] => {
    if (part === '') return []
    return [index % 2 === 0 ? part : { tag: 'code', isPlain: true, children: [part] }]
  })
  return { tag: 'p', isPlain: true, children }
}

const CODE_SPAN = /`([^`\s](?:[^`\n]*[^`\s])?)`/

/** Cached trees, because many pages contain the same descriptions. Keyed by source, location and text. */
const trees = new LRUCache<string, TreeNode[]>({
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length + 1,
})

/** Converts headings to bold text, because headings in a field are not sections of the page. */
function withoutHeadings(node: TreeNode): TreeNode {
  if (typeof node === 'string' || !('children' in node) || !node.children) return node
  const children = node.children.map(withoutHeadings)
  if ('tag' in node && /^h[1-6]$/.test(node.tag)) {
    return { tag: 'p', children: [{ tag: 'strong', children }] }
  }
  return { ...node, children }
}

/** Detects panels written by the author in the page or its imports. */
function ownPanels(modules: Readonly<Record<string, MdxModule | ScriptModule>>): AuthoredPanels {
  const names = new Set<string>()
  const collect = (nodes: readonly TreeNode[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      if ('name' in node) names.add(node.name)
      if ('children' in node && node.children) collect(node.children)
    }
  }
  for (const module of Object.values(modules)) if (module.kind === 'mdx') collect(module.tree)
  return { hasRequest: names.has('RequestExample'), hasResponse: names.has('ResponseExample') }
}
