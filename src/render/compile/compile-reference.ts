/** What a page shows of an API description, from data to the tree that the isolate draws. */
import type { Problem } from '../../contract/problem.ts'
import { asMarkdown, isPlain } from '../api/description.ts'
import type { ApiReference } from '../api/reference.ts'
import { type OwnPanels, referenceTree } from '../api/reference-tree.ts'
import type { MdxModule, ScriptModule, TreeNode } from '../tree/program.ts'
import type { ParsedBody } from './compile-repair.ts'
import { compileTree, type TreeDeps } from './compile-tree.ts'
import type { MathResult } from './math.ts'

export interface CompileReferenceDeps {
  /** Names something that is drawn; returns its number. */
  mark(label: string): number
  problem(code: string, message: string, remedy: string, level: Problem['level']): void
  math(tex: string, isBlock: boolean): MathResult
  parse(source: string, isMarkdown: boolean): ParsedBody
}

export function compileReference(
  deps: CompileReferenceDeps,
  reference: ApiReference,
  modules: Readonly<Record<string, MdxModule | ScriptModule>>,
): TreeNode[] {
  const tree: TreeDeps = {
    file: reference.source,
    isSnippet: false,
    // Variables of the site and expressions mean nothing in a description.
    restore: (text) => text,
    addCode: () => -1,
    mark: (_, label) => deps.mark(label),
    problem: (_, code, message, remedy) => deps.problem(code, message, remedy, 'warning'),
    math: deps.math,
  }
  const markdown = (text: string, isTop: boolean): TreeNode[] => {
    if (isPlain(text)) return [{ tag: 'p', isPlain: true, children: [text] }]
    const nodes = compileTree(tree, deps.parse(asMarkdown(text), true).root)
    return isTop ? nodes : nodes.map(withoutHeadings)
  }
  return referenceTree({ markdown, mark: deps.mark }, reference, ownPanels(modules))
}

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
