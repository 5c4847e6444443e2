/** Converts tags of Docusaurus components. */
import { BUILT_IN_NAMES } from '../../render/tree/built-in-names.ts'
import { calloutComponent, calloutTitle } from '../markdown/callouts.ts'
import { isHtmlElement, writeHtmlTag } from '../markdown/html.ts'
import { toMdxComment } from '../markdown/prose.ts'
import { attribute, attributeText, hasAttribute, type Tag } from '../markdown/tags.ts'
import { excerpt, type Notes } from '../notes.ts'
import type { Imported } from './modules.ts'

export interface ComponentDeps {
  file: string
  notes: Notes
  /** Imports of the page, by local name. */
  imports: ReadonlyMap<string, Imported>
  ownNames: ReadonlySet<string>
  link(address: string, line: number, use: 'link' | 'image'): string
  resolveAsset(file: string): string
  /** Returns cards for the sibling pages. */
  cards(): string
  tabs: TabsWriter
  /** Closing tags to write for the open components, innermost last. */
  open: { name: string; closing: string }[]
}

/** Components that Octavo's theme provides to all pages. */
const BUILT_IN = new Set([
  ...BUILT_IN_NAMES,
  'Image',
  'File',
  'Panel',
  'RequestExample',
  'ResponseExample',
  'Snippet',
])

export function componentTag(deps: ComponentDeps, tag: Tag, line: number): string | null {
  const imported = deps.imports.get(tag.name.split('.')[0] ?? '')
  if (imported?.kind === 'snippet') return null
  if (/^[A-Z]/.test(tag.name)) return tag.isClosing ? closing(deps, tag) : opening(deps, tag, line, imported)
  if (isHtmlElement(tag.name) && tag.attributes.some((one) => one.isExpression))
    return elementTag(deps, tag, line)
  return null
}

function closing({ open, ownNames }: ComponentDeps, tag: Tag): string | null {
  const at = open.findLastIndex(({ name }) => name === tag.name)
  if (at !== -1) return open.splice(at)[0]?.closing ?? null
  return ownNames.has(tag.name) || BUILT_IN.has(tag.name) ? null : toMdxComment(` </${tag.name}> `)
}

function opening(deps: ComponentDeps, tag: Tag, line: number, imported: Imported | undefined): string | null {
  const name = imported?.kind === 'theme' ? (imported.name.split('/').at(-1) ?? tag.name) : tag.name
  const written = knownTag(deps, tag, name, line)
  if (written !== null) {
    if (!tag.isSelfClosing) deps.open.push({ name: tag.name, closing: written.closing })
    return written.opening
  }
  if (imported === undefined && (deps.ownNames.has(tag.name) || BUILT_IN.has(tag.name))) return null
  deps.notes.add(
    'component',
    { file: deps.file, line },
    `The component <${tag.name}> is converted to a comment. Its content is retained.`,
  )
  const source = `<${tag.name}${tag.attributes.map(toAttributeSource).join('')}${tag.isSelfClosing ? ' /' : ''}>`
  if (!tag.isSelfClosing) deps.open.push({ name: tag.name, closing: toMdxComment(` </${tag.name}> `) })
  return toMdxComment(` ${source} `)
}

function toAttributeSource({ name, value, isExpression }: Tag['attributes'][number]): string {
  if (value === null) return ` ${name}`
  return isExpression ? ` ${name}${name === '' ? '' : '='}{${value}}` : ` ${name}="${value}"`
}

interface Written {
  opening: string
  closing: string
}

function knownTag(deps: ComponentDeps, tag: Tag, name: string, line: number): Written | null {
  const { tabs } = deps
  const end = tag.isSelfClosing ? ' />' : '>'
  const text = (attributeName: string) => attributeText(tag, attributeName)
  switch (name) {
    case 'Tabs':
      return { opening: tabs.open(tag), closing: tabs.closingMark }
    case 'TabItem':
      return { opening: `<Tab${attribute('title', tabs.titleOf(tag))}${end}`, closing: '</Tab>' }
    case 'Admonition': {
      const type = text('type') ?? 'note'
      const component = calloutComponent(type)
      return {
        opening: `<${component}${attribute('title', text('title') ?? calloutTitle(type))}${end}`,
        closing: `</${component}>`,
      }
    }
    case 'Details':
      return {
        opening: `<Accordion${attribute('title', text('summary') ?? 'Details')}${end}`,
        closing: '</Accordion>',
      }
    case 'CodeBlock': {
      const options = `${attribute('language', text('language'))}${attribute('filename', text('title'))}`
      return {
        opening: `<CodeBlock${options}${hasAttribute(tag, 'showLineNumbers') ? ' lines' : ''}${end}`,
        closing: '</CodeBlock>',
      }
    }
    case 'ThemedImage':
      return themedImage(deps, tag, line)
    case 'DocCardList':
      return { opening: deps.cards(), closing: '' }
    case 'BrowserWindow':
      return { opening: `<Frame${attribute('hint', text('url'))}${end}`, closing: '</Frame>' }
    case 'Link': {
      const href = text('to') ?? text('href')
      if (href === null) return null
      return { opening: `<a${attribute('href', deps.link(href, line, 'link'))}${end}`, closing: '</a>' }
    }
    case 'Translate':
    case 'BrowserOnly':
      return { opening: '', closing: '' }
    case 'Heading': {
      const level = /^h([1-6])$/.exec(text('as') ?? '')?.[1]
      return level
        ? { opening: `<h${level}${attribute('id', text('id'))}${end}`, closing: `</h${level}>` }
        : null
    }
    default:
      return null
  }
}

const LIGHT_SOURCE =
  /\blight["']?\s{0,20}:\s{0,20}(?:(?:useBaseUrl|require)\(\s{0,20})?(?:["'`]([^"'`]{1,1000})["'`]|([\w$]{1,100}))/
const DARK_SOURCE =
  /\bdark["']?\s{0,20}:\s{0,20}(?:(?:useBaseUrl|require)\(\s{0,20})?(?:["'`]([^"'`]{1,1000})["'`]|([\w$]{1,100}))/

/** Converts an image with two sources: `sources={{ light: useBaseUrl('/a.png'), dark: imported }}`. */
function themedImage(deps: ComponentDeps, tag: Tag, line: number): Written | null {
  const sources = tag.attributes.find(({ name }) => name === 'sources')?.value ?? ''
  const others = tag.attributes.filter(
    ({ name, isExpression }) => !isExpression && !['sources', 'class', 'className'].includes(name),
  )
  const more = others.map(({ name, value }) => attribute(name, value ?? '')).join('')
  const pictures = (
    [
      [LIGHT_SOURCE, 'block dark:hidden'],
      [DARK_SOURCE, 'hidden dark:block'],
    ] as const
  ).map(([pattern, className]) => {
    const found = pattern.exec(sources.slice(0, 10_000))
    const imported = deps.imports.get(found?.[2] ?? '')
    const address = found?.[1] === undefined ? null : deps.link(found[1], line, 'image')
    const source = imported?.kind === 'asset' ? deps.resolveAsset(imported.file) : address
    return source && `<img${attribute('className', className)}${attribute('src', source)}${more} />`
  })
  const written = pictures.filter((picture) => picture !== null)
  return written.length === 2 ? { opening: written.join('\n'), closing: '' } : null
}

/** Resolves URLs in `src={useBaseUrl('/x')}`, `src={require('./x.png').default}` and `src={imported}`. */
function elementTag(deps: ComponentDeps, tag: Tag, line: number): string | null {
  for (const one of tag.attributes) {
    if (!one.isExpression || !/^(?:src|href|poster)$/.test(one.name)) continue
    const use = one.name === 'href' ? 'link' : 'image'
    const value = (one.value ?? '').trim()
    const imported = deps.imports.get(value)
    const call = /^(?:useBaseUrl|require)\(\s*["'`]([^"'`]+)["'`]\s*\)(?:\.default)?$/.exec(value)
    const quoted = attributeText(tag, one.name)
    if (imported?.kind === 'asset') one.value = deps.resolveAsset(imported.file)
    else if (call) one.value = deps.link(call[1] as string, line, use)
    else if (quoted !== null) one.value = deps.link(quoted, line, use)
    else {
      deps.notes.add(
        'expression',
        { file: deps.file, line },
        `The attribute ${one.name} of <${tag.name}> is an expression: ${excerpt(value)}.`,
      )
      continue
    }
    one.isExpression = false
  }
  return writeHtmlTag(tag)
}

/** Writes tabs. The opening tag is written last, because it names the initially selected tab. */
export interface TabsWriter {
  open(tag: Tag): string
  titleOf(tag: Tag): string
  closingMark: string
  finish(text: string): string
}

export function createTabsWriter(): TabsWriter {
  const all: {
    wanted: string | null
    values: string[]
    labels: Map<string, string>
    chosen: number | null
  }[] = []
  const open: number[] = []
  return {
    closingMark: '</Tabs>',
    open(tag) {
      const values = tag.attributes.find(({ name }) => name === 'values')?.value ?? ''
      all.push({
        wanted: attributeText(tag, 'defaultValue'),
        values: [],
        labels: readLabels(values),
        chosen: null,
      })
      open.push(all.length - 1)
      return `<Tabs\u0000${all.length - 1}\u0000>`
    },
    titleOf(tag) {
      const value = attributeText(tag, 'value') ?? ''
      const tabs = all[open.at(-1) ?? -1]
      if (tabs) {
        if (tabs.wanted === value || hasAttribute(tag, 'default')) tabs.chosen = tabs.values.length
        tabs.values.push(value)
      }
      return attributeText(tag, 'label') ?? tabs?.labels.get(value) ?? value
    },
    finish: (text) =>
      text.replace(/<Tabs\0(\d+)\0>/g, (_, index: string) => {
        const chosen = all[Number(index)]?.chosen
        return chosen ? `<Tabs defaultTabIndex={${chosen}}>` : '<Tabs>'
      }),
  }
}

/** Parses `[{ label: 'macOS', value: 'mac' }]`, with the properties in either order. */
function readLabels(source: string): Map<string, string> {
  const labels = new Map<string, string>()
  for (const [entry] of source.slice(0, 10_000).matchAll(/\{[^{}]*\}/g)) {
    const label = /\blabel:\s*(["'`])([^"'`]*)\1/.exec(entry)?.[2]
    const value = /\bvalue:\s*(["'`])([^"'`]*)\1/.exec(entry)?.[2]
    if (label !== undefined && value !== undefined) labels.set(value, label)
  }
  return labels
}
