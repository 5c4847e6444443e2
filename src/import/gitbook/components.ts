/** Converts GitBook blocks to Octavo components. */
import { decodePath } from '../../base/text/decode-path.ts'
import { toMdxComment } from '../markdown/prose.ts'
import { attribute } from '../markdown/tags.ts'
import { excerpt, type Notes } from '../notes.ts'
import { plainTitle } from '../page-file.ts'
import type { BlockTag } from './block-tags.ts'

export interface TagDeps {
  file: string
  notes: Notes
  link(address: string, line: number, use: 'link' | 'image'): string
  titleOf(address: string): string | null
  /** Returns the path of an included file in the new folder; null if the source does not exist. */
  include(name: string, line: number): string | null
  /** Creates a subpage for an operation and returns its URL. */
  operation(operationPage: OperationPage): string
  /** Closing tags to write for the open blocks. */
  open: { name: string; closing: string }[]
}

export interface OperationPage {
  title: string
  /** `METHOD /path` */
  call: string
  fields: Record<string, string>
  body: string
}

const HINT_COMPONENTS: Readonly<Record<string, string>> = {
  info: 'Info',
  success: 'Check',
  tip: 'Tip',
  warning: 'Warning',
  danger: 'Danger',
}

/** Blocks that have an equivalent component with a different name. */
const RENAMED_BLOCK_COMPONENTS: Readonly<Record<string, string>> = {
  tabs: 'Tabs',
  stepper: 'Steps',
  columns: 'Columns',
  column: 'Column',
}

const FIELDS: Readonly<Record<string, string>> = {
  path: 'path',
  query: 'query',
  header: 'header',
  body: 'body',
  cookie: 'header',
  formData: 'body',
}

/** Returns the opening tag of a block. `inner` is the content already read: a heading, link or caption. */
export function openBlock(deps: TagDeps, tag: BlockTag, line: number, inner: string | null): string {
  const { name, options } = tag
  const option = (key: string) => options.get(key) ?? null
  const block = (component: string, attributes = '') => {
    deps.open.push({ name, closing: `</${component}>` })
    return `<${component}${attributes}>`
  }
  const renamed = Object.hasOwn(RENAMED_BLOCK_COMPONENTS, name) ? RENAMED_BLOCK_COMPONENTS[name] : undefined
  if (renamed !== undefined) return block(renamed)
  switch (name) {
    case 'hint':
      return block(HINT_COMPONENTS[option('style') ?? 'info'] ?? 'Note', attribute('icon', option('icon')))
    case 'tab':
      return block('Tab', attribute('title', option('title') ?? 'Tab'))
    case 'step':
      return block('Step', attribute('title', inner))
    case 'update':
      return block('Update', attribute('label', option('date') ?? option('title') ?? 'Update'))
    case 'updates':
      deps.open.push({ name, closing: '' })
      return ''
    case 'content-ref':
    case 'page-ref':
      return contentReference(deps, option('url') ?? '', line, inner)
    case 'file':
      return fileLink(deps, option('src') ?? '', line, inner)
    case 'embed':
      return embedded(option('url') ?? '', inner)
    case 'swagger-description':
      deps.open.push({ name, closing: '' })
      return ''
    case 'swagger-parameter': {
      const isRequired = option('required') === 'true' ? ' required' : ''
      const parameterField = FIELDS[option('in') ?? ''] ?? 'query'
      return block(
        'ParamField',
        `${attribute(parameterField, option('name') ?? 'name')}${attribute('type', option('type'))}${isRequired}`,
      )
    }
    case 'swagger-response':
      return block(
        'Accordion',
        attribute('title', [option('status'), option('description')].filter(Boolean).join(' ')),
      )
    case 'swagger':
    case 'openapi':
    case 'openapi-operation':
      return operationCard(deps, tag, line, inner) ?? apiBlock(deps, tag, line)
    default:
      return unknownBlock(deps, tag, line)
  }
}

/** Returns the closing tag of a block, or a comment if the block was never opened. */
export function closeBlock({ open }: TagDeps, { name, source }: BlockTag): string {
  const at = open.findLastIndex((one) => `end${one.name}` === name)
  if (at === -1)
    return /^end(?:code|embed|file|content-ref|page-ref)$/.test(name) ? '' : toMdxComment(` ${source} `)
  const closed = open.splice(at)
  // Includes the closing tags of unclosed blocks inside this block.
  return closed
    .toReversed()
    .map(({ closing }) => closing)
    .filter((closing) => closing !== '')
    .join('\n\n')
}

function contentReference(deps: TagDeps, url: string, line: number, inner: string | null): string {
  const label = inner === null ? null : plainTitle(inner)
  const title = deps.titleOf(url) ?? label ?? url
  const href = deps.link(url, line, 'link')
  const isSame = label === null || label === title || label === url || /\.md$/.test(label)
  return isSame
    ? `<Card${attribute('title', title)}${attribute('href', href)} horizontal />`
    : `<Card${attribute('title', title)}${attribute('href', href)} horizontal>\n${escapeText(label)}\n</Card>`
}

function fileLink(deps: TagDeps, src: string, line: number, inner: string | null): string {
  const name = src.slice(src.lastIndexOf('/') + 1)
  const caption = inner ? `\n${escapeText(plainTitle(inner))}\n` : ''
  return `<Card${attribute('title', decodePath(name))} icon="file"${attribute('href', deps.link(src, line, 'link'))} horizontal>${caption}</Card>`
}

function embedded(url: string, inner: string | null): string {
  const video = /^https:\/\/(?:www\.)?(?:youtube\.com\/watch\?v=|youtu\.be\/)([\w-]{5,20})/.exec(url)?.[1]
  const caption = inner ? `\n\n${escapeText(inner)}` : ''
  if (video !== undefined)
    return `<iframe className="w-full aspect-video rounded-xl" src="https://www.youtube.com/embed/${video}" title="${video}" allowFullScreen />${caption}`
  return `<Card${attribute('title', url)}${attribute('href', url)} horizontal />${caption}`
}

const METHOD = /^(?:get|put|post|delete|options|head|patch|trace)$/i

export function readOperationCall({ options }: BlockTag): string | null {
  const method = options.get('method') ?? ''
  const path = options.get('path') ?? ''
  return METHOD.test(method) && /^\S+$/.test(path) ? `${method.toUpperCase()} ${path}` : null
}

function operationCard(deps: TagDeps, tag: BlockTag, line: number, inner: string | null): string | null {
  const source = tag.options.get('src') ?? /\]\(<?([^\s()<>]{1,1000})/.exec(inner ?? '')?.[1]
  const call = readOperationCall(tag)
  if (source === undefined || call === null || inner === null) return null
  const spec = deps.link(source, line, 'link')
  const title = tag.options.get('summary') ?? call
  const href = deps.operation({ title, call, fields: { openapi: `${spec} ${call}` }, body: '' })
  return renderCard(title, href)
}

export function renderCard(title: string, href: string): string {
  return `<Card${attribute('title', title)}${attribute('href', href)} horizontal />`
}

function apiBlock(deps: TagDeps, tag: BlockTag, line: number): string {
  const method = (tag.options.get('method') ?? '').toUpperCase()
  const path = tag.options.get('path') ?? ''
  const summary = tag.options.get('summary')
  const remedy = `Create a page with openapi: "<file> ${method || 'GET'} ${path || '/path'}" in its frontmatter. See content/api-reference.`
  deps.notes.add(
    'component',
    { file: deps.file, line },
    `The API block ${excerpt(tag.source)} is converted to a comment.`,
    remedy,
  )
  deps.open.push({ name: tag.name, closing: '' })
  const heading = summary ? `### ${escapeText(summary)}\n\n` : ''
  const call = method !== '' && path !== '' ? `\`${method} ${path}\`\n\n` : ''
  return `${heading}${call}${toMdxComment(` ${tag.source} `)}`
}

function unknownBlock(deps: TagDeps, { name, source, options }: BlockTag, line: number): string {
  const diagram = options.get('content')
  if (name === '@mermaid/diagram' && diagram !== undefined) {
    return `\`\`\`mermaid\n${diagram.replaceAll('\\n', '\n')}\n\`\`\``
  }
  const kind = /^(?:if|elif|else)$/.test(name) ? 'template' : 'component'
  deps.notes.add(
    kind,
    { file: deps.file, line },
    `The block ${excerpt(source)} is converted to a comment. Its content is retained.`,
  )
  return toMdxComment(` ${source} `)
}

function escapeText(text: string): string {
  return text.replace(/[{}<]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
}
