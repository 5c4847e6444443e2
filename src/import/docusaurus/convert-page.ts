/** Converts the body of a Docusaurus page to Octavo's MDX. */
import type { FileTree } from '../../base/files/file-tree.ts'
import {
  type Block,
  type Fence,
  joinLines,
  type Line,
  splitBlocks,
  splitInfo,
  splitOption,
  writeFence,
} from '../markdown/blocks.ts'
import { calloutComponent, calloutTitle } from '../markdown/callouts.ts'
import { addCodeOptionNotes } from '../markdown/code-options.ts'
import { emojiAt } from '../markdown/emoji.ts'
import { type LinkMap, resolveAddress } from '../markdown/links.ts'
import { inlineMath } from '../markdown/math.ts'
import { convertProse, type ProseRules, toMdxComment } from '../markdown/prose.ts'
import { attribute } from '../markdown/tags.ts'
import type { Notes } from '../notes.ts'
import { excerpt } from '../notes.ts'
import { type ComponentDeps, componentTag, createTabsWriter } from './components.ts'
import { extractHighlightComments } from './highlight-comments.ts'
import {
  exportLength,
  type Imported,
  type ImportStatement,
  readImport,
  resolveImport,
  snippetPath,
} from './modules.ts'

export interface ConvertDeps {
  tree: FileTree
  notes: Notes
  links: LinkMap
  hasMath: boolean
  addSnippet(file: string): void
  cards(file: string): string
}

interface ConversionState extends ComponentDeps {
  deps: ConvertDeps
  rules: ProseRules
  out: string[]
}

export async function convertPage(
  deps: ConvertDeps,
  file: string,
  lines: readonly Line[],
  isMdx: boolean,
): Promise<string> {
  const blocks = splitBlocks(lines)
  const state = await startPage(deps, file, blocks, isMdx)
  for (const block of blocks) {
    if (block.kind === 'code') state.out.push(...buildCodeLines(state, block.fence, block.lines))
    else convertLines(state, block.lines, isMdx)
  }
  while (state.open.at(-1)?.name.startsWith(':::')) state.out.push('', state.open.pop()?.closing ?? '', '')
  return state.tabs.finish(joinLines(state.out))
}

async function startPage(
  deps: ConvertDeps,
  file: string,
  blocks: readonly Block[],
  isMdx: boolean,
): Promise<ConversionState> {
  const imports = new Map<string, Imported>()
  const ownNames = new Set<string>()
  for (const block of blocks) {
    if (block.kind === 'code' || !isMdx) continue
    for (let at = 0; at < block.lines.length; at++) {
      const statement = readImport(block.lines, at)
      if (statement) {
        const imported = await resolveImport(deps.tree, file, statement.specifier)
        for (const name of statement.names) imports.set(name, imported)
      }
      const own = /^export\s+(?:const|let|function|class)\s+([A-Za-z_$][\w$]*)/.exec(
        block.lines[at]?.text ?? '',
      )
      if (own) ownNames.add(own[1] as string)
    }
  }
  const link = (address: string, line: number) => {
    // `pathname://` bypasses Docusaurus' router; `@site` is the root of the site.
    const plain = address.replace(/^pathname:\/\//, '')
    const isSite = plain.startsWith('@site/')
    const found = resolveAddress(deps.links, isSite ? 'x' : file, isSite ? `./${plain.slice(6)}` : plain)
    if (found.kind === 'missing')
      deps.notes.add('link', { file, line }, `The link target ${excerpt(address)} does not exist.`)
    return found.href
  }
  const components: ComponentDeps = {
    file,
    notes: deps.notes,
    imports,
    ownNames,
    link,
    resolveAsset: (asset) => `/${deps.links.assets.get(asset) ?? asset}`,
    cards: () => deps.cards(file),
    tabs: createTabsWriter(),
    open: [],
  }
  return { ...components, deps, rules: proseRules(deps, components, isMdx), out: [] }
}

function proseRules(deps: ConvertDeps, components: ComponentDeps, isMdx: boolean): ProseRules {
  const { file, notes, imports } = components
  const unresolvedNames = new Set(
    [...imports].filter(([, { kind }]) => kind === 'unknown').map(([name]) => name),
  )
  return {
    isMdx,
    link: components.link,
    tag: (tag, line) => componentTag(components, tag, line),
    expression(source, line) {
      const imported = imports.get(source.trim())
      if (imported?.kind === 'asset') return components.resolveAsset(imported.file)
      if (imported?.kind === 'text') return `{${JSON.stringify(imported.text.trimEnd())}}`
      if (!source.match(/[\w$]+/g)?.some((word) => unresolvedNames.has(word))) return null
      notes.add(
        'expression',
        { file, line },
        `The expression {${excerpt(source)}} uses a name that is no longer imported.`,
      )
      return toMdxComment(` ${source} `)
    },
    lost: (what, line) => notes.add('syntax', { file, line }, `${excerpt(what)} has no equivalent.`),
    marks: deps.hasMath ? ':$' : ':',
    own: (text, at) => (text[at] === '$' ? inlineMath(text, at) : emojiAt(text, at)),
  }
}

const ADMONITION = /^([ \t>]*)(:{3,20})([a-zA-Z][\w-]{0,40})(.*)$/
const ADMONITION_END = /^([ \t>]*)(:{3,20})[ \t]*$/

function convertLines(state: ConversionState, lines: readonly Line[], isMdx: boolean): void {
  const { out, rules, open } = state
  let prose: Line[] = []
  const flush = () => {
    const first = prose[0]
    if (first) out.push(convertProse(prose.map(({ text }) => text).join('\n'), first.number, rules))
    prose = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    const isStart =
      at === 0 || (lines[at - 1]?.text ?? '').trim() === '' || /^import\b/.test(lines[at - 1]?.text ?? '')
    const statement = isMdx && isStart ? readImport(lines, at) : null
    const length = isMdx && isStart && statement === null ? exportLength(lines, at) : 0
    const opening = ADMONITION.exec(line.text)
    // `:::info text:::` on a single line is not a directive.
    const starts = opening?.[4]?.trimEnd().endsWith(':::') ? null : opening
    const ends = ADMONITION_END.exec(line.text)
    const callout = ends ? open.at(-1) : undefined
    if (statement) {
      flush()
      out.push(...buildImportLines(state, statement))
      at += statement.lines.length - 1
    } else if (length > 0) {
      flush()
      out.push(...lines.slice(at, at + length).map(({ text }) => text))
      at += length - 1
    } else if (starts) {
      flush()
      out.push(...openCallout(state, starts, line.number))
    } else if (ends && callout?.name.startsWith(':::')) {
      flush()
      open.pop()
      out.push('', `${ends[1]}${callout.closing}`, '')
    } else prose.push(line)
  }
  flush()
}

function openCallout({ open, notes, file }: ConversionState, found: RegExpExecArray, line: number): string[] {
  const [, indent = '', mark = '', name = '', rest = ''] = found
  const component = calloutComponent(name)
  const words = rest
    .trim()
    .replace(/\{[^{}]*\}$/, '')
    .trim()
  const given = words.startsWith('[') && words.endsWith(']') ? words.slice(1, -1).trim() : words
  if (calloutTitle(name) !== null && given !== '' && component === 'Note' && name !== 'secondary')
    notes.add('syntax', { file, line }, `The callout ${excerpt(name)} is converted to a note.`)
  open.push({ name: `${mark}${name}`, closing: `</${component}>` })
  return [`${indent}<${component}${attribute('title', given || calloutTitle(name))}>`, indent.trimEnd()]
}

function buildImportLines(
  { deps, file, imports, notes }: ConversionState,
  statement: ImportStatement,
): string[] {
  const [name = ''] = statement.names
  const imported = imports.get(name)
  const line = statement.lines[0]?.number ?? null
  const source = statement.lines.map(({ text }) => text).join(' ')
  if (imported?.kind === 'theme' || imported?.kind === 'asset' || imported?.kind === 'text') return []
  if (imported?.kind === 'snippet') {
    deps.addSnippet(imported.file)
    return [`import ${statement.clause} from '/${snippetPath(imported.file)}'`]
  }
  notes.add(
    'component',
    { file, line },
    `The import of ${excerpt(statement.specifier)} is converted to a comment.`,
  )
  return ['', toMdxComment(` ${source} `), '']
}

function buildCodeLines(state: ConversionState, fence: Fence, lines: readonly Line[]): string[] {
  const { code, numbers } = extractHighlightComments(lines.slice(1))
  const options = codeOptions(fence.info)
  addCodeOptionNotes(state, lines[0]?.number ?? null, options)
  const highlight = [options.highlight, ...numbers].filter((one) => one !== null).join(',') || null
  return [writeFence(fence, { ...options, highlight }), ...code.map(({ text }) => text)]
}

function codeOptions(info: string) {
  const words = splitInfo(info)
  const language = words[0] && !/[={"]/.test(words[0]) ? (words.shift() as string) : ''
  let title: string | null = null
  let highlight: string | null = null
  let hasLineNumbers = false
  const unknown: string[] = []
  for (const word of words) {
    const option = splitOption(word)
    if (option?.name === 'title') title = option.value
    else if (/^\{[\d,\s-]+\}$/.test(word)) highlight = word.slice(1, -1)
    else if (word === 'showLineNumbers' || option?.name === 'showLineNumbers') hasLineNumbers = true
    else unknown.push(word)
  }
  return { language, title, highlight, hasLineNumbers, unknown }
}
