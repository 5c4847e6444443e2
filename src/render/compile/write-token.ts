/** Writes tokens in the syntax that the parsers require. */
import { isVoidElement } from '../html/html-elements.ts'
import { beginsLine, lineBefore, type PageToken } from './page-tokens.ts'
import type { Tag, TagAttribute } from './read-tag.ts'

/** `apart`: on a separate line. `removed`: without the tag, but with its content. */
export type Meaning = 'markup' | 'text' | 'apart' | 'removed'

/** Returns null to leave the source unchanged. */
export function writeToken(
  source: string,
  token: PageToken,
  meaning: Meaning,
  { isMdx, tag }: { isMdx: boolean; tag?: string | undefined },
): string | null {
  const written = source.slice(token.start, token.end)
  if (meaning === 'removed') return ''
  if (meaning === 'text' || token.kind === 'mark') return writeText(source, token, written)
  if (token.kind === 'math') return writeMath(source, token)
  if (token.kind === 'columns') {
    const before = source.slice(Math.max(0, token.start - 200), token.start)
    const bar = before.trimEnd().endsWith('|') ? '' : ' |'
    return `${bar} ${Array(token.missing).fill(token.cell).join(' | ')} |`
  }
  if (!isMdx) return null
  switch (token.kind) {
    case 'comment':
      return '{/**/}'
    case 'doctype':
      return ''
    case 'address': {
      const address = written.slice(1, -1)
      return `[${escapeAsText(address)}](<${/^\w+:/.test(address) ? '' : 'mailto:'}${address}>)`
    }
    case 'raw':
      return `${tag ?? writeTag(source, token.start, token.tag) ?? source.slice(token.start, token.tag.end)}{\`${escapeTemplateLiteral(token.content)}\`}${source.slice(token.close, token.end)}`
    case 'tag': {
      const text = tag ?? writeTag(source, token.start, token.tag)
      return meaning === 'apart' ? putOnOwnLine(source, token, text ?? written) : text
    }
    default:
      return null
  }
}

/** Escapes punctuation, which prevents Markdown from interpreting it. */
function escapeAsText(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function writeText(source: string, token: PageToken, written: string): string {
  if (token.kind !== 'mark' || !/^\w/.test(written)) return escapeAsText(written)
  // Adds an empty line. Otherwise, a module on the previous line would continue here.
  const isBehindModule = source[token.start - 1] === '\n' && source[token.start - 2] !== '\n'
  return `${isBehindModule ? '\n' : ''}&#${written.charCodeAt(0)};`
}

function writeMath(source: string, token: PageToken & { kind: 'math' }): string {
  const before = lineBefore(source, token.start)
  if (!token.isBlock) {
    const isInRow = before.trimStart().startsWith('|')
    return `$$${isInRow ? token.tex.replace(/(?<!\\)\|/g, '\\|') : token.tex}$$`
  }
  const indent = readIndent(before)
  const behind = /^[^\n]*/.exec(source.slice(token.end))?.[0].trim() === '' ? '' : `\n${indent}`
  return `$$\n${indent}${token.tex.trim()}\n${indent}$$${behind}`
}

/** Returns the indentation and `>` markers for another line in the same list item or block quote. */
function readIndent(before: string): string {
  return /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/.exec(before)?.[0].replace(/[^>\s]/g, ' ') ?? ''
}

function putOnOwnLine(source: string, token: PageToken, text: string): string {
  const lineEnd = source.indexOf('\n', token.end)
  const indent = readIndent(lineBefore(source, token.start))
  const before = beginsLine(source, token.start) ? '' : `\n${indent}`
  const rest = source.slice(token.end, lineEnd === -1 ? source.length : lineEnd)
  return `${before}${text}${rest.trim() === '' ? '' : `\n${indent}`}`
}

function escapeTemplateLiteral(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&')
}

const JSX_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*(?::[\p{ID_Start}$_][\p{ID_Continue}$-]*)?$/u

/** Returns the HTML tag rewritten in MDX syntax, or null if it is already valid MDX. */
function writeTag(source: string, start: number, tag: Tag): string | null {
  const { name, attributes, isClosing, isSelfClosing } = tag
  const element = name.toLowerCase()
  const isVoid = isVoidElement(name)
  const isOpenVoid = isVoid && !isSelfClosing && !isClosing
  const isMdx = attributes.every(
    ({ form, name }) => SUPPORTED_FORMS.has(form) && (name === '' || JSX_NAME.test(name)),
  )
  // An empty line in a tag ends the paragraph, except inside an expression.
  const isWhole = !/\n[ \t]*\n/.test(joinTextOutsideExpressions(source, start, tag))
  if (isMdx && isWhole && !isOpenVoid && !(isVoid && name !== element)) return null
  const list = attributes.map((attribute) => writeAttribute(source, attribute)).join('')
  return `<${isClosing ? '/' : ''}${isVoid ? element : name}${list}${isOpenVoid || isSelfClosing ? ' /' : ''}>`
}

function joinTextOutsideExpressions(source: string, start: number, { attributes, end }: Tag): string {
  let text = ''
  let from = start
  for (const attribute of attributes) {
    if (attribute.form !== 'expression') continue
    text += `${source.slice(from, attribute.start)}{}`
    from = attribute.end
  }
  return text + source.slice(from, end)
}

const SUPPORTED_FORMS = new Set<TagAttribute['form']>(['bare', 'quoted', 'expression'])

/** Writes an attribute. Drops names that are invalid in JSX, as used by template languages. */
function writeAttribute(source: string, { name, value, form, start, end }: TagAttribute): string {
  if (name === '') return form === 'expression' ? ` ${source.slice(start, end)}` : ''
  if (!JSX_NAME.test(name)) return ''
  if (SUPPORTED_FORMS.has(form)) return ` ${source.slice(start, end)}`
  const text = form === 'no-expression' ? `{${value}}` : (value ?? '')
  return ` ${name}="${text.replaceAll('"', '&quot;')}"`
}
