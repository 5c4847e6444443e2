/** What a page shows of an API description, from data to the tree that the isolate draws. */
import { LRUCache } from 'lru-cache'
import type { Problem } from '../../base/errors/problem.ts'
import { descriptionMarkdown, isPlain } from '../../openapi/description.ts'
import type { ApiReference } from '../api/reference.ts'
import type { ReferencePart } from '../api/reference-parts.ts'
import { type OwnPanels, referenceTree } from '../api/reference-tree.ts'
import type { MdxModule, ScriptModule, TreeNode } from '../tree/program.ts'
import type { BodyRules, ParsedBody } from './compile-repair.ts'
import { compileTree, type TreeDeps } from './compile-tree.ts'
import type { MathResult } from './math.ts'

export interface CompileReferenceDeps {
  /** Names something that is drawn; returns its number. */
  mark(label: string): number
  /** Adds what needs no drawing; returns its number. */
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
  /** Counts what the tree of a text leaves behind beside itself. */
  let traces = 0
  const tree: TreeDeps = {
    file: reference.source,
    isSnippet: false,
    // Variables of the site and expressions mean nothing in a description.
    restore: (text) => text,
    addCode: () => -1,
    mark: (_, label) => {
      traces += 1
      return deps.mark(label)
    },
    noteTwoslash: () => undefined,
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
    const known = trees.get(key)
    if (known) return known
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

/** A line whose only marks are those of code: most descriptions are one, and need no parser. */
export function plainParagraph(text: string): TreeNode | null {
  if (isPlain(text)) return { tag: 'p', isPlain: true, children: [text] }
  if (!text.includes('`') || text !== text.trim()) return null
  const parts = text.split(CODE_SPAN)
  // Text and code take turns.
  if (!parts.every((part, index) => index % 2 === 1 || isPlain(part))) return null
  const children = parts.flatMap((part, index): TreeNode[] => {
    if (part === '') return []
    return [index % 2 === 0 ? part : { tag: 'code', isPlain: true, children: [part] }]
  })
  return { tag: 'p', isPlain: true, children }
}

const CODE_SPAN = /`([^`\s](?:[^`\n]*[^`\s])?)`/

/** Texts of shared schemas stand on many pages. By source, place and text. */
const trees = new LRUCache<string, TreeNode[]>({
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length + 1,
})

/** Headings inside of a field are no parts of the page: they are lines in bold. */
function withoutHeadings(node: TreeNode): TreeNode {
  if (typeof node === 'string' || !('children' in node) || !node.children) return node
  const children = node.children.map(withoutHeadings)
  if ('tag' in node && /^h[1-6]$/.test(node.tag)) {
    return { tag: 'p', children: [{ tag: 'strong', children }] }
  }
  return { ...node, children }
}

/** What the author shows beside the text, in the page or in anything that it imports. */
function ownPanels(modules: Readonly<Record<string, MdxModule | ScriptModule>>): OwnPanels {
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
