/** What an API page shows, as the tree that the isolate draws. */
import { attributesText, escapeText } from '../html/html.ts'
import type { TreeHtml, TreeNode } from '../tree/program.ts'
import type { ApiWords } from '../words/api-words.ts'
import type { ApiBlock, ApiChoice, ApiFact, ApiField, ApiPanel, ApiReference } from './reference.ts'

export interface ReferenceTreeDeps {
  /** Words of the description; headings in them are part of the page's contents when `isTop`. */
  markdown(text: string, isTop: boolean): TreeNode[]
  /** Names a component of the page. */
  mark(label: string): number
}

/** Panels that the author wrote stand in place of those that would be made. */
export interface OwnPanels {
  hasRequest: boolean
  hasResponse: boolean
}

export function referenceTree(deps: ReferenceTreeDeps, reference: ApiReference, own: OwnPanels): TreeNode[] {
  const drawing: Drawing = { deps, words: reference.words, isExpanded: reference.isExpanded }
  const panels = [
    own.hasRequest ? null : panelNode(drawing, reference.request, 'request-example'),
    own.hasRequest && reference.request ? null : panelNode(drawing, reference.bodies, 'body-example'),
    own.hasResponse ? null : panelNode(drawing, reference.responses, 'response-example'),
  ]
  return [...blockNodes(drawing, reference.blocks, true), ...panels.filter((panel) => panel !== null)]
}

interface Drawing {
  deps: ReferenceTreeDeps
  words: ApiWords
  isExpanded: boolean
}

/** Most hold text alone: such an element is HTML already, which the isolate need not draw. */
function element(
  tag: string,
  className: string,
  children: readonly TreeNode[],
  more: Readonly<Record<string, string | true>> = {},
): TreeNode {
  const props = className === '' ? more : { class: className, ...more }
  const parts = written(children)
  const [only] = parts
  if (parts.length > 1 || (only !== undefined && !isHtml(only)))
    return { tag, isPlain: true, props, children: parts }
  return { html: `<${tag}${attributesText(props)}>${only?.html ?? ''}</${tag}>`, text: '' }
}

/** Writes plain elements as HTML and joins neighbours. */
function written(nodes: readonly TreeNode[]): TreeNode[] {
  const parts: TreeNode[] = []
  let html = ''
  const flush = () => {
    if (html !== '') parts.push({ html, text: '' })
    html = ''
  }
  for (const node of nodes) {
    const own = htmlOf(node)
    if (own !== null) html += own
    else {
      flush()
      parts.push(node)
    }
  }
  flush()
  return parts
}

/** Elements of Markdown without attributes, which no component replaces. */
const PLAIN_TAGS = new Set(['code', 'em', 'p', 'strong'])

function htmlOf(node: TreeNode): string | null {
  if (typeof node === 'string') return escapeText(node)
  if (isHtml(node)) return node.html
  if (!('tag' in node) || node.props || node.dynamic || !PLAIN_TAGS.has(node.tag)) return null
  let html = ''
  for (const child of node.children ?? []) {
    const inner = htmlOf(child)
    if (inner === null) return null
    html += inner
  }
  return `<${node.tag}>${html}</${node.tag}>`
}

function isHtml(node: TreeNode): node is TreeHtml {
  return typeof node === 'object' && 'html' in node
}

function blockNodes(drawing: Drawing, blocks: readonly ApiBlock[], isTop: boolean): TreeNode[] {
  return blocks.flatMap((block) => blockNode(drawing, block, isTop))
}

function blockNode(drawing: Drawing, block: ApiBlock, isTop: boolean): TreeNode[] {
  const { deps } = drawing
  switch (block.kind) {
    case 'prose':
      return deps.markdown(block.markdown, isTop)
    case 'missing':
      return [missingNode(deps, block)]
    case 'heading':
      return [headingNode(block)]
    case 'fields':
      return [
        element(
          'div',
          'api-fields',
          block.fields.map((field) => fieldNode(drawing, field)),
        ),
      ]
    case 'choice':
      return [choiceNode(drawing, block)]
    case 'details':
      return [detailsNode(block.title, blockNodes(drawing, block.blocks, false))]
    case 'call':
      return [
        element('div', 'api-call', [
          element('span', 'method-pill', [block.method], { 'data-method': block.method }),
          ' ',
          element('code', 'api-path', [block.path]),
        ]),
      ]
    case 'code':
      return [codeNode(deps, block)]
  }
}

function missingNode(deps: ReferenceTreeDeps, block: Extract<ApiBlock, { kind: 'missing' }>): TreeNode {
  const words = element('p', '', [block.text, ' ', element('code', '', [block.what])])
  return { name: 'Warning', mark: deps.mark('note'), props: {}, children: [words] }
}

function headingNode(block: Extract<ApiBlock, { kind: 'heading' }>): TreeNode {
  const heading: TreeNode = { tag: `h${block.level}`, props: { id: block.id }, children: [block.text] }
  if (block.note === '') return element('div', 'api-section-heading', [heading])
  return element('div', 'api-section-heading', [heading, ' ', element('span', 'api-note', [block.note])])
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
    children: choices.map(({ blocks, anchor }) => choiceContent(blockNodes(drawing, blocks, false), anchor)),
  }
}

/** Links lead to the content, which shows itself then. */
function choiceContent(children: TreeNode[], anchor: ApiChoice['anchor']): TreeNode {
  if (!anchor) return element('div', 'api-choice-content', children)
  const others = anchor.others.map((id) => element('span', 'other-anchor', [], { id }))
  return element('div', 'api-choice-content', [...others, ...children], { id: anchor.id })
}

function detailsNode(title: string, children: TreeNode[]): TreeNode {
  const summary = element('summary', 'expandable-summary', [
    element('span', 'chevron', [], { 'aria-hidden': 'true' }),
    element('span', '', [title]),
  ])
  const content = element('div', 'expandable-content', children)
  return element('details', 'expandable', [summary, content])
}

function codeNode(deps: ReferenceTreeDeps, block: Extract<ApiBlock, { kind: 'code' }>): TreeNode {
  return {
    name: 'CodeBlock',
    mark: deps.mark('code block'),
    props: { language: block.language, ...(block.title === '' ? {} : { filename: block.title }) },
    children: [block.code],
  }
}

function fieldNode(drawing: Drawing, field: ApiField): TreeNode {
  const { deps, words } = drawing
  const content: TreeNode[] = [
    ...(field.description === '' ? [] : deps.markdown(field.description, false)),
    ...field.facts.map((fact) => factNode(drawing, fact)),
    ...(field.same === null ? [] : [sameNode(words, field.same)]),
    ...insideNodes(drawing, field),
  ]
  return {
    name: 'octavo:field',
    mark: deps.mark('field'),
    props: {
      id: field.id,
      others: [...field.others],
      name: field.name,
      type: field.type,
      before: [...field.before],
      pills: [...field.pills],
      required: field.isRequired ? words.fieldRequired : '',
      deprecated: field.isDeprecated ? words.fieldDeprecated : '',
      initial: field.initial ?? '',
      defaultLabel: field.initial === null ? '' : words.fieldDefault,
    },
    children: content.length === 0 ? [] : [element('div', 'field-content', content)],
  }
}

/** Fields are folded behind a line; a choice alone shows itself. */
function insideNodes(drawing: Drawing, { blocks, name }: ApiField): TreeNode[] {
  if (blocks.length === 0) return []
  const nodes = blockNodes(drawing, blocks, false)
  if (name === '') return nodes
  const { words } = drawing
  const count = blocks.reduce((sum, block) => sum + (block.kind === 'fields' ? block.fields.length : 0), 0)
  const more = count > 0 ? [' ', element('span', 'api-count', [String(count)])] : []
  const summary = element('summary', 'expandable-summary', [
    element('span', 'chevron', [], { 'aria-hidden': 'true' }),
    element('span', 'expandable-show', [words.apiShow]),
    element('span', 'expandable-hide', [words.apiHide]),
    ...more,
  ])
  const open: { open?: true } = drawing.isExpanded ? { open: true } : {}
  const content = element('div', 'expandable-content', nodes)
  return [element('details', 'expandable api-inside', [summary, content], open)]
}

function sameNode(words: ApiWords, same: { id: string; name: string }): TreeNode {
  const link = element('a', 'api-same', [same.name], { href: `#${same.id}` })
  return element('p', 'api-fact', [element('span', 'api-fact-label', [words.apiSame]), ' ', link])
}

function factNode(drawing: Drawing, { label, values }: ApiFact): TreeNode {
  const name = label === '' ? [] : [element('span', 'api-fact-label', [label]), ' ']
  if (values.some(({ note }) => note !== '')) {
    const items = values.map(({ text, note }) =>
      element('li', '', [
        element('code', '', [text]),
        ...(note === '' ? [] : [' ', ...inlineOf(drawing.deps.markdown(note, false))]),
      ]),
    )
    return element('div', 'api-fact', [...name, element('ul', 'api-values', items)])
  }
  const codes = values.flatMap(({ text }, index): TreeNode[] => [
    ...(index === 0 ? [] : [' ']),
    element('code', '', [text]),
  ])
  return element('p', 'api-fact', [...name, ...codes])
}

/** The content of a single paragraph stands in the line itself. */
function inlineOf(nodes: TreeNode[]): TreeNode[] {
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
