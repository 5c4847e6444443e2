/** Settings about what stands around a page: top bar, footer, banner, page menu. */
import type { Problem } from '../contract/problem.ts'
import type { ContextualOption, NavbarLink, SiteConfig } from './config.ts'
import { type IconLibrary, readIcon } from './icon.ts'
import { fieldOf, isFields, isList, type JsonNode, toPlain } from './json.ts'
import {
  readChoice,
  readColor,
  readFields,
  readFlag,
  readItems,
  readPath,
  readText,
  reportSetting,
  reportType,
} from './read-json.ts'

const CONTEXTUAL_OPTIONS = (
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop ' +
  'windsurf mcp add-mcp cursor vscode devin-mcp'
).split(' ')

export function readNavbar(
  problems: Problem[],
  node: JsonNode | undefined,
  library: IconLibrary,
): SiteConfig['navbar'] {
  readFields(problems, node, 'navbar')
  const links = readItems(problems, fieldOf(node, 'links'), 'navbar.links').flatMap(
    (link) => readNavbarLink(problems, link, 'navbar.links', 'link', library) ?? [],
  )
  const primary = fieldOf(node, 'primary')
  return {
    links,
    primary: primary ? readNavbarLink(problems, primary, 'navbar.primary', 'button', library) : null,
  }
}

function readNavbarLink(
  problems: Problem[],
  node: JsonNode,
  path: string,
  standard: NavbarLink['type'],
  library: IconLibrary,
): NavbarLink | null {
  if (!readFields(problems, node, path)) return null
  const href = readPath(problems, fieldOf(node, 'href') ?? fieldOf(node, 'url'), `${path}.href`)
  const icon = iconOf(node, library)
  // An icon alone has the name of what it shows.
  const label =
    readText(problems, fieldOf(node, 'label'), `${path}.label`) ??
    (icon?.kind === 'name' && href !== null ? icon.name : null)
  const types = ['link', 'button', 'github', 'discord'] as const
  const type = readChoice(problems, fieldOf(node, 'type'), `${path}.type`, types) ?? standard
  if (href === null || (label === null && type !== 'github' && type !== 'discord')) {
    const missing = href === null ? 'href' : 'label'
    const message = `This entry of ${path} has no ${missing} and is left out.`
    reportSetting(
      problems,
      node,
      'config.required',
      'warning',
      message,
      `Add ${missing}, or remove the entry.`,
    )
    return null
  }
  return { type, label, href, icon }
}

export function readFooter(problems: Problem[], node: JsonNode | undefined): SiteConfig['footer'] {
  readFields(problems, node, 'footer')
  const socials: { name: string; href: string }[] = []
  for (const [name, value] of readFields(problems, fieldOf(node, 'socials'), 'footer.socials') ?? []) {
    const href = readText(problems, value, `footer.socials.${name}`)
    if (href !== null) socials.push({ name, href })
  }
  const links = readItems(problems, fieldOf(node, 'links'), 'footer.links').map((column) => ({
    header: readText(problems, fieldOf(column, 'header'), 'footer.links.header'),
    items: readItems(problems, fieldOf(column, 'items'), 'footer.links.items').flatMap((item) => {
      const label = readText(problems, fieldOf(item, 'label'), 'footer.links.items.label')
      const href = readPath(problems, fieldOf(item, 'href'), 'footer.links.items.href')
      if (label !== null && href !== null) return { label, href }
      const message = 'This link of the footer has no label or no href and is left out.'
      reportSetting(problems, item, 'config.required', 'warning', message, 'Give it both, or remove it.')
      return []
    }),
  }))
  return { socials, links: links.filter((column) => column.items.length > 0) }
}

export function readBanner(problems: Problem[], node: JsonNode | undefined): SiteConfig['banner'] {
  if (!node || node.value === null) return null
  const content = typeof node.value === 'string' ? node.value : readBannerContent(problems, node)
  if (content === null || content === '') return null
  const types = ['info', 'warning', 'critical'] as const
  return {
    content,
    isDismissible: readFlag(problems, fieldOf(node, 'dismissible'), 'banner.dismissible') ?? false,
    type: readChoice(problems, fieldOf(node, 'type'), 'banner.type', types) ?? 'info',
    color: readColorPair(problems, fieldOf(node, 'color'), 'banner.color'),
  }
}

function readBannerContent(problems: Problem[], node: JsonNode): string | null {
  if (!readFields(problems, node, 'banner')) return null
  return readText(problems, fieldOf(node, 'content'), 'banner.content')
}

/** One colour, or one for each mode; a missing mode borrows the other. */
export function readColorPair(
  problems: Problem[],
  node: JsonNode | undefined,
  path: string,
): { light: string; dark: string } | null {
  if (!node || node.value === null) return null
  if (!isFields(node.value)) {
    const color = readColor(problems, node, path)
    return color === null ? null : { light: color, dark: color }
  }
  const light = readColor(problems, fieldOf(node, 'light'), `${path}.light`)
  const dark = readColor(problems, fieldOf(node, 'dark'), `${path}.dark`)
  const color = light ?? dark
  return color === null ? null : { light: light ?? color, dark: dark ?? color }
}

export function readContextual(
  problems: Problem[],
  node: JsonNode | undefined,
  library: IconLibrary,
): SiteConfig['contextual'] {
  if (!readFields(problems, node, 'contextual')) return null
  const options: (string | ContextualOption)[] = []
  for (const item of readItems(problems, fieldOf(node, 'options'), 'contextual.options')) {
    const option = readContextualOption(problems, item, library)
    if (option !== null && !options.includes(option)) options.push(option)
  }
  const display = readChoice(problems, fieldOf(node, 'display'), 'contextual.display', ['header', 'toc'])
  return { options, display: display ?? 'header' }
}

function readContextualOption(
  problems: Problem[],
  node: JsonNode,
  library: IconLibrary,
): string | ContextualOption | null {
  if (typeof node.value === 'string') {
    if (CONTEXTUAL_OPTIONS.includes(node.value)) return node.value
    const message = `contextual.options has no entry called ${JSON.stringify(node.value)}.`
    reportSetting(
      problems,
      node,
      'config.value',
      'warning',
      message,
      `Use one of ${CONTEXTUAL_OPTIONS.join(', ')}.`,
    )
    return null
  }
  if (!isFields(node.value)) {
    reportType(problems, node, 'contextual.options', 'a text or an object')
    return null
  }
  const title = readText(problems, fieldOf(node, 'title'), 'contextual.options.title')
  const href = readContextualHref(problems, fieldOf(node, 'href'))
  if (title === null || href === null) {
    const message = 'This entry of contextual.options has no title or no href and is left out.'
    reportSetting(problems, node, 'config.required', 'warning', message, 'Give it both, or remove it.')
    return null
  }
  const description = readText(problems, fieldOf(node, 'description'), 'contextual.options.description')
  return { title, description, icon: iconOf(node, library), href }
}

/** An address, or `{ base, query }`; the placeholders `$page`, `$path` and `$mcp` stay for the reader's browser. */
function readContextualHref(problems: Problem[], node: JsonNode | undefined): string | null {
  if (!node || !isFields(node.value)) return readText(problems, node, 'contextual.options.href')
  const base = readText(problems, fieldOf(node, 'base'), 'contextual.options.href.base')
  if (base === null) return null
  const query = readItems(problems, fieldOf(node, 'query'), 'contextual.options.href.query').flatMap(
    (pair) => {
      const key = readText(problems, fieldOf(pair, 'key'), 'contextual.options.href.query.key')
      const value = readText(problems, fieldOf(pair, 'value'), 'contextual.options.href.query.value')
      return key === null ? [] : [`${encodeURIComponent(key)}=${encodePlaceholders(value ?? '')}`]
    },
  )
  if (query.length === 0) return base
  return `${base}${base.includes('?') ? '&' : '?'}${query.join('&')}`
}

function encodePlaceholders(value: string): string {
  return encodeURIComponent(value).replace(/%24(page|path|mcp)/g, '$$$1')
}

function iconOf(node: JsonNode, library: IconLibrary) {
  const icon = fieldOf(node, 'icon')
  const style = fieldOf(node, 'iconType')
  return icon && !isList(icon.value) ? readIcon(toPlain(icon), style?.value, library) : null
}
