/**
 * Parts of an API reference that contain no components. They bypass the isolate. It only assigns their ids, to make
 * them unique on the page, and renders the placeholder `<o-part data-t="token" data-i="0"></o-part>`.
 */
import type { Attributes } from '../html/markup.ts'
import type { HtmlElement, HtmlNode } from '../html/parse-html.ts'
import type { ClaimedIds } from '../tree/program.ts'
import type { ApiTexts } from '../words/api-texts.ts'
import type { ApiField } from './reference.ts'

export interface ReferencePart {
  nodes: readonly HtmlNode[]
  positions: readonly FieldPosition[]
  /** Element to which the output of the isolate is appended. */
  inner: HtmlElement | null
}

export interface FieldPosition extends ClaimedIds {
  field: HtmlElement
  link: HtmlElement | null
}

/** Adds the assigned ids to the fields and returns the nodes. Must be called only once per part. */
export function applyIds(
  { nodes, positions, inner }: ReferencePart,
  claimed: readonly ClaimedIds[],
  drawn: readonly HtmlNode[],
): readonly HtmlNode[] {
  positions.forEach(({ id: wanted, field, link }, index) => {
    const { id, others } = claimed[index] ?? { id: wanted, others: [] }
    field.attributes = [...FIELD, 'id', id]
    if (link) link.attributes = ['class', 'field-name', 'href', `#${id}`, 'data-component-part', 'field-name']
    field.children.unshift(
      ...others.map((other) => createHtmlElement('span', ['class', 'other-anchor', 'id', other])),
    )
  })
  inner?.children.push(...drawn)
  return nodes
}

// Shared attribute lists, because a page may have thousands of fields.
const FIELD: Attributes = ['class', 'field api-field']
const FIELD_HEADER: Attributes = ['class', 'field-header']
const FIELD_TYPE: Attributes = ['class', 'field-type', 'data-component-part', 'field-info-pill']
const FIELD_PILL: Attributes = ['class', 'field-pill']
const FIELD_REQUIRED: Attributes = ['class', 'field-required', 'data-component-part', 'field-required-pill']
const FIELD_DEPRECATED: Attributes = ['class', 'field-deprecated']
const FIELD_DEFAULT: Attributes = ['class', 'field-default']
const NONE: Attributes = []

/** Creates the line with name and type of a field. */
export function fieldHeader(field: ApiField, words: ApiTexts): FieldPosition {
  const link = isBlank(field.name) ? null : createHtmlElement('a', NONE, [field.name])
  const required = field.isRequired ? words.fieldRequired : ''
  const deprecated = field.isDeprecated ? words.fieldDeprecated : ''
  const line: HtmlNode[] = [
    ...pills(field.before),
    link ?? '',
    ' ',
    createHtmlElement('span', FIELD_TYPE, [isBlank(field.type) ? '' : field.type]),
    ' ',
    ...pills(field.pills),
    required === '' ? '' : createHtmlElement('span', FIELD_REQUIRED, [required]),
    ' ',
    deprecated === '' ? '' : createHtmlElement('span', FIELD_DEPRECATED, [deprecated]),
    ' ',
    field.initial === null || isBlank(field.initial) ? '' : defaultValueElement(field.initial, words),
  ]
  const id = isBlank(field.id) ? 'field' : field.id
  return {
    id,
    others: field.others.filter((other) => !isBlank(other)),
    field: createHtmlElement('div', FIELD, [createHtmlElement('div', FIELD_HEADER, line)]),
    link,
  }
}

function defaultValueElement(initial: string, words: ApiTexts): HtmlElement {
  return createHtmlElement('span', FIELD_DEFAULT, [
    words.fieldDefault,
    ' ',
    createHtmlElement('code', NONE, [initial]),
  ])
}

function pills(texts: readonly string[]): HtmlNode[] {
  if (texts.length === 0) return []
  return texts
    .filter((text) => !isBlank(text))
    .flatMap((text) => [createHtmlElement('span', FIELD_PILL, [text]), ' '])
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

export function createHtmlElement(
  tag: string,
  attributes: Attributes,
  children: HtmlNode[] = [],
): HtmlElement {
  return { tag, attributes, children: mergeAdjacentTexts(children), end: 'tag' }
}

/** Merges adjacent text and removes empty text, like an HTML parser. */
export function mergeAdjacentTexts(nodes: HtmlNode[]): HtmlNode[] {
  const [only] = nodes
  if (nodes.length === 1 && only !== '') return typeof only === 'string' ? [only.toWellFormed()] : nodes
  const joined: HtmlNode[] = []
  let text = ''
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as HtmlNode
    if (typeof node === 'string') {
      text += node
      continue
    }
    if (text !== '') joined.push(text.toWellFormed())
    text = ''
    joined.push(node)
  }
  if (text !== '') joined.push(text.toWellFormed())
  return joined
}
