/** Builds the tree of an API page that the isolate renders, and the static parts that bypass it. */
import type { Attributes } from '../html/markup.ts'
import type { HtmlElement, HtmlNode } from '../html/parse-html.ts'
import type { TreeElement, TreeNode } from '../tree/program.ts'
import type { ApiTexts } from '../words/api-texts.ts'
import type { ApiBlock, ApiChoice, ApiFact, ApiField, ApiPanel, ApiReference } from './reference.ts'
import {
  createHtmlElement,
  type FieldPosition,
  fieldHeader,
  mergeAdjacentTexts,
  type ReferencePart,
} from './reference-parts.ts'

export interface ReferenceTreeDeps {
  /** Renders Markdown of the description. If `isTop`, its headings are added to the table of contents. */
  markdown(text: string, isTop: boolean): TreeNode[]
  /** Registers a component with a label. Returns its number. */
  mark(label: string): number
  /** Adds a static part. Returns its number. */
  part(part: ReferencePart): number
}

/** Panels written by the author, which replace the generated ones. */
export interface AuthoredPanels {
  hasRequest: boolean
  hasResponse: boolean
}

export function referenceTree(
  deps: ReferenceTreeDeps,
  reference: ApiReference,
  own: AuthoredPanels,
): TreeNode[] {
  const drawing: Drawing = { deps, words: reference.words, isExpanded: reference.isExpanded }
  const panels = [
    own.hasRequest ? null : panelNode(drawing, reference.request, 'request-example'),
    own.hasRequest && reference.request ? null : panelNode(drawing, reference.bodies, 'body-example'),
    own.hasResponse ? null : panelNode(drawing, reference.responses, 'response-example'),
  ]
  const blocks = blockNodes(drawing, reference.blocks, true)
  return [...treeNodes(drawing, blocks), ...panels.filter((panel) => panel !== null)]
}

interface Drawing {
  deps: ReferenceTreeDeps
  words: ApiTexts
  isExpanded: boolean
}

/** Element without components, which bypasses the isolate. Most of a page consists of such elements. */
interface Fixed extends Pick<ReferencePart, 'positions'> {
  fixed: HtmlElement
}

type Drawn = Fixed | TreeNode

function element(
  drawing: Drawing,
  tag: string,
  className: string,
  children: readonly Drawn[],
  more: Readonly<Record<string, string | true>> = {},
): Fixed | TreeElement {
  const fixed = fixedElement(tag, attributesOf(className, more), children)
  if (fixed !== null) return fixed
  const props = className === '' ? more : { class: className, ...more }
  return { tag, isPlain: true, props, children: treeNodes(drawing, children) }
}

/** Returns null if a child contains components. */
function fixedElement(tag: string, attributes: Attributes, children: readonly Drawn[]): Fixed | null {
  const part = fixedPart(children)
  return part && { fixed: createHtmlElement(tag, attributes, part.nodes), positions: part.positions }
}

function fixedPart(children: readonly Drawn[]): { nodes: HtmlNode[]; positions: FieldPosition[] } | null {
  const nodes: HtmlNode[] = []
  const positions: FieldPosition[] = []
  for (let i = 0; i < children.length; i++) {
    const fixed = toFixedPart(children[i] as Drawn)
    if (fixed === null) return null
    nodes.push(typeof fixed === 'string' ? fixed : fixed.fixed)
    if (typeof fixed !== 'string') positions.push(...fixed.positions)
  }
  return { nodes, positions }
}

/** Markdown elements without attributes, which cannot be replaced by components. */
const PLAIN_TAGS = new Set(['code', 'em', 'p', 'strong'])

function toFixedPart(node: Drawn): Fixed | string | null {
  if (typeof node === 'string' || 'fixed' in node) return node
  if (!('tag' in node) || node.props || node.dynamic || !PLAIN_TAGS.has(node.tag)) return null
  return fixedElement(node.tag, NONE, node.children ?? NONE)
}

const NONE: readonly never[] = []

/** Attribute lists by class. Shared, because pages use only a few classes. */
const CLASSES = new Map<string, Attributes>()

function attributesOf(className: string, more: Readonly<Record<string, string | true>>): Attributes {
  const others = Object.entries(more).flatMap(([name, value]) => [
    name,
    value === true ? null : value.toWellFormed(),
  ])
  if (others.length > 0) return className === '' ? others : ['class', className, ...others]
  if (className === '') return NONE
  const known = CLASSES.get(className)
  if (known) return known
  const made = ['class', className]
  CLASSES.set(className, made)
  return made
}

/** Converts to tree nodes. Adjacent nodes without components become one part. */
function treeNodes(drawing: Drawing, nodes: readonly Drawn[]): TreeNode[] {
  const made: TreeNode[] = []
  let run: (Fixed | string)[] = []
  const flush = () => {
    const part = run.every((fixed) => typeof fixed === 'string') ? null : fixedPart(run)
    if (part === null) made.push(...(run as string[]))
    else made.push(partNode(drawing, { ...part, nodes: mergeAdjacentTexts(part.nodes), inner: null }))
    run = []
  }
  for (const node of nodes) {
    const fixed = toFixedPart(node)
    if (fixed !== null) run.push(fixed)
    else {
      flush()
      made.push(node as TreeNode)
    }
  }
  flush()
  return made
}

function partNode({ deps }: Drawing, part: ReferencePart, children?: TreeNode[]): TreeNode {
  const ids = part.positions.map(({ id, others }) => ({ id, others: [...others] }))
  return { part: deps.part(part), ids, ...(children && { children }) }
}

function blockNodes(drawing: Drawing, blocks: readonly ApiBlock[], isTop: boolean): Drawn[] {
  return blocks.flatMap((block) => blockNode(drawing, block, isTop))
}

function blockNode(drawing: Drawing, block: ApiBlock, isTop: boolean): Drawn[] {
  const { deps } = drawing
  switch (block.kind) {
    case 'prose':
      return deps.markdown(block.markdown, isTop)
    case 'missing':
      return [missingNode(drawing, block)]
    case 'heading':
      return [headingNode(drawing, block)]
    case 'fields':
      return [
        element(
          drawing,
          'div',
          'api-fields',
          block.fields.map((field) => fieldNode(drawing, field)),
        ),
      ]
    case 'choice':
      return [choiceNode(drawing, block)]
    case 'details':
      return [detailsNode(drawing, block.title, blockNodes(drawing, block.blocks, false))]
    case 'call':
      return [
        element(drawing, 'div', 'api-call', [
          element(drawing, 'span', 'method-pill', [block.method], { 'data-method': block.method }),
          ' ',
          element(drawing, 'code', 'api-path', [block.path]),
        ]),
      ]
    case 'code':
      return [codeNode(deps, block)]
  }
}

function missingNode(drawing: Drawing, block: Extract<ApiBlock, { kind: 'missing' }>): TreeNode {
  const { deps } = drawing
  const words = element(drawing, 'p', '', [block.text, ' ', element(drawing, 'code', '', [block.what])])
  return { name: 'Warning', mark: deps.mark('note'), props: {}, children: treeNodes(drawing, [words]) }
}

function headingNode(drawing: Drawing, block: Extract<ApiBlock, { kind: 'heading' }>): Drawn {
  const heading: TreeNode = { tag: `h${block.level}`, props: { id: block.id }, children: [block.text] }
  if (block.note === '') return element(drawing, 'div', 'api-section-heading', [heading])
  return element(drawing, 'div', 'api-section-heading', [
    heading,
    ' ',
    element(drawing, 'span', 'api-note', [block.note]),
  ])
}

function choiceNode(drawing: Drawing, block: Extract<ApiBlock, { kind: 'choice' }>): TreeNode {
  const { label, choices, isStatus } = block
  return {
    name: 'octavo:choice',
    mark: drawing.deps.mark('choice'),
    props: {
      label,
      titles: choices.map(({ title }) => title),
      notes: choices.map(({ note }) => note),
      shows: choices.map(({ shows }) => shows ?? -1),
      isStatus,
    },
    children: choices.flatMap(({ blocks, anchor }) =>
      treeNodes(drawing, [choiceContent(drawing, blockNodes(drawing, blocks, false), anchor)]),
    ),
  }
}

/** Adds the anchor to the content, because links to hidden content reveal it. */
function choiceContent(drawing: Drawing, children: Drawn[], anchor: ApiChoice['anchor']): Drawn {
  if (!anchor) return element(drawing, 'div', 'api-choice-content', children)
  const others = anchor.others.map((id) => element(drawing, 'span', 'other-anchor', [], { id }))
  return element(drawing, 'div', 'api-choice-content', [...others, ...children], { id: anchor.id })
}

function detailsNode(drawing: Drawing, title: string, children: Drawn[]): Drawn {
  const summary = element(drawing, 'summary', 'expandable-summary', [
    element(drawing, 'span', 'chevron', [], { 'aria-hidden': 'true' }),
    element(drawing, 'span', '', [title]),
  ])
  const content = element(drawing, 'div', 'expandable-content', children)
  return element(drawing, 'details', 'expandable', [summary, content])
}

function codeNode(deps: ReferenceTreeDeps, block: Extract<ApiBlock, { kind: 'code' }>): TreeNode {
  return {
    name: 'CodeBlock',
    mark: deps.mark('code block'),
    props: { language: block.language, ...(block.title === '' ? {} : { filename: block.title }) },
    children: [block.code],
  }
}

function fieldNode(drawing: Drawing, field: ApiField): Drawn {
  const { deps, words } = drawing
  const content: Drawn[] = [
    ...(field.description === '' ? [] : deps.markdown(field.description, false)),
    ...field.facts.map((fact) => factNode(drawing, fact)),
    ...(field.same === null ? [] : [sameFieldsNode(drawing, field.same)]),
    ...nestedBlockNodes(drawing, field),
  ]
  const fieldPosition = fieldHeader(field, words)
  if (content.length === 0) return { fixed: fieldPosition.field, positions: [fieldPosition] }
  const inside = element(drawing, 'div', 'field-content', content)
  if (!('fixed' in inside)) {
    const part = { nodes: [fieldPosition.field], positions: [fieldPosition], inner: fieldPosition.field }
    return partNode(drawing, part, treeNodes(drawing, [inside]))
  }
  fieldPosition.field.children.push(inside.fixed)
  return { fixed: fieldPosition.field, positions: [fieldPosition, ...inside.positions] }
}

/** Returns nested blocks, collapsed below a summary line unless the field has no name. */
function nestedBlockNodes(drawing: Drawing, { blocks, name }: ApiField): Drawn[] {
  if (blocks.length === 0) return []
  const nodes = blockNodes(drawing, blocks, false)
  if (name === '') return nodes
  const { words } = drawing
  const count = blocks.reduce((sum, block) => sum + (block.kind === 'fields' ? block.fields.length : 0), 0)
  const more = count > 0 ? [' ', element(drawing, 'span', 'api-count', [String(count)])] : []
  const summary = element(drawing, 'summary', 'expandable-summary', [
    element(drawing, 'span', 'chevron', [], { 'aria-hidden': 'true' }),
    element(drawing, 'span', 'expandable-show', [words.apiShow]),
    element(drawing, 'span', 'expandable-hide', [words.apiHide]),
    ...more,
  ])
  const open: { open?: true } = drawing.isExpanded ? { open: true } : {}
  const content = element(drawing, 'div', 'expandable-content', nodes)
  return [element(drawing, 'details', 'expandable api-inside', [summary, content], open)]
}

function sameFieldsNode(drawing: Drawing, same: { id: string; name: string }): Drawn {
  const { words } = drawing
  const link = element(drawing, 'a', 'api-same', [same.name], { href: `#${same.id}` })
  return element(drawing, 'p', 'api-fact', [
    element(drawing, 'span', 'api-fact-label', [words.apiSame]),
    ' ',
    link,
  ])
}

function factNode(drawing: Drawing, { label, values }: ApiFact): Drawn {
  const name = label === '' ? [] : [element(drawing, 'span', 'api-fact-label', [label]), ' ']
  if (values.some(({ note }) => note !== '')) {
    const items = values.map(({ text, note }) =>
      element(drawing, 'li', '', [
        element(drawing, 'code', '', [text]),
        ...(note === '' ? [] : [' ', ...unwrapParagraph(drawing.deps.markdown(note, false))]),
      ]),
    )
    return element(drawing, 'div', 'api-fact', [...name, element(drawing, 'ul', 'api-values', items)])
  }
  const codes = values.flatMap(({ text }, index): Drawn[] => [
    ...(index === 0 ? [] : [' ']),
    element(drawing, 'code', '', [text]),
  ])
  return element(drawing, 'p', 'api-fact', [...name, ...codes])
}

function unwrapParagraph(nodes: TreeNode[]): TreeNode[] {
  const [only] = nodes
  if (nodes.length === 1 && typeof only === 'object' && 'tag' in only && only.tag === 'p') {
    return only.children ?? []
  }
  return nodes
}

function panelNode(drawing: Drawing, panel: ApiPanel | null, id: string): TreeNode | null {
  if (panel === null) return null
  return {
    name: 'octavo:panel',
    mark: drawing.deps.mark('panel'),
    props: {
      id,
      title: panel.title,
      method: panel.method ?? '',
      label: panel.label,
      isRemembered: panel.isRemembered,
      samples: panel.samples.map((sample) => ({ ...sample })),
    },
  }
}
