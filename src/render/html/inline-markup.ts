/**
 * Parses inline markup: titles, descriptions and banners may contain `code`, **bold**, *emphasis*, links and
 * a few HTML tags. Everything else is text. Used in the isolate and by the layout.
 */
import { escapeHtml } from './html.ts'
import { hasOptionalEndTag, isElementName } from './html-elements.ts'

const TAGS = 'b|strong|i|em|code|kbd|sup|sub|s|u|mark|small'
const TOKEN = new RegExp(
  [
    '`([^`]+)`', // 1 code
    '\\*\\*(?=\\S)(.+?)(?<=\\S)\\*\\*', // 2 bold
    '__(?=\\S)(.+?)(?<=\\S)__(?!\\w)', // 3 bold
    '(?<![\\w*])\\*(?=[^\\s*])([^*]+?)(?<=\\S)\\*(?![\\w*])', // 4 emphasis
    '(?<!\\w)_(?=[^\\s_])([^_]+?)(?<=\\S)_(?!\\w)', // 5 emphasis
    '!?\\[([^\\]]+)\\]\\(([^)\\s]+)(?:\\s+"[^"]*")?\\)', // 6 link text, 7 link URL
    `<(/?)(${TAGS})(?:\\s[^<>]*)?>`, // 8 slash, 9 tag
    '(<br\\s*/?>)', // 10 line break
    '<a\\s[^<>]*?href=["\']([^"\'<>]+)["\'][^<>]*>(.*?)</a>', // 11 URL, 12 text
    '(&(?:#\\d+|#x[\\da-f]+|[a-z]+\\d*);)', // 13 character reference
    '</?([a-z][\\w.]*)(?:\\s[^<>]*)?/?>', // 14 any other tag
  ].join('|'),
  'gi',
)

export interface InlineMarkupOptions {
  links: boolean
}

/**
 * Returns safe HTML. Removes unknown tags but not their content, closes open tags, and replaces script URLs
 * with `#`.
 */
export function inlineMarkup(text: string, options: InlineMarkupOptions = { links: true }): string {
  const open: string[] = []
  let html = ''
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    html += escapeHtml(text.slice(end, match.index))
    end = match.index + match[0].length
    const [, code, bold, bold2, italic, italic2, label, href, slash, tag, br, address, inner, entity, other] =
      match
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (bold !== undefined || bold2 !== undefined)
      html += `<strong>${inlineMarkup(bold ?? bold2 ?? '', options)}</strong>`
    else if (italic !== undefined || italic2 !== undefined)
      html += `<em>${inlineMarkup(italic ?? italic2 ?? '', options)}</em>`
    else if (label !== undefined && href !== undefined) html += link(href, label, options)
    else if (tag !== undefined) html += toggle(open, tag.toLowerCase(), slash === '/')
    else if (br !== undefined) html += '<br>'
    else if (address !== undefined) html += link(address, inner ?? '', options)
    else if (entity !== undefined) html += entity
    else if (other !== undefined && !isTag(text, match[0], other)) html += escapeHtml(match[0])
  }
  html += escapeHtml(text.slice(end))
  return (
    html +
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join('')
  )
}

/**
 * Returns true for components, tags with attributes, and tags with a counterpart. `<T>`, `<your-key>` and `<source>`
 * are text.
 */
function isTag(text: string, source: string, name: string): boolean {
  const isElement = isElementName(name.toLowerCase())
  if (!isElement && !/^[A-Z]/.test(name)) return false
  if (/\/>$|=/.test(source) || (isElement && hasOptionalEndTag(name.toLowerCase()))) return true
  return source.startsWith('</') ? text.includes(`<${name}`) : text.includes(`</${name}>`)
}

/** Returns the text without markup, for attributes, window titles and tables of contents. */
export function plainText(text: string): string {
  return inlineMarkup(text, { links: false })
    .replace(/<br>/g, ' ')
    .replace(/<[^<>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
}

/** Returns a URL that is safe in a link, or `#` for scripts and data. */
export function safeHref(href: string): string {
  // Browsers ignore control characters and spaces before the scheme.
  return /^(?:javascript|data|vbscript):/i.test(href.replace(/[\u0000-\u0020]/g, '')) ? '#' : href
}

function link(href: string, label: string, options: InlineMarkupOptions): string {
  const content = inlineMarkup(label, { links: false })
  return options.links ? `<a href="${escapeHtml(safeHref(href))}">${content}</a>` : content
}

/** Opens a tag, or closes it with all tags inside. Drops an unmatched closing tag. */
function toggle(open: string[], tag: string, isClosing: boolean): string {
  if (!isClosing) {
    open.push(tag)
    return `<${tag}>`
  }
  const from = open.lastIndexOf(tag)
  if (from < 0) return ''
  return open
    .splice(from)
    .reverse()
    .map((name) => `</${name}>`)
    .join('')
}
