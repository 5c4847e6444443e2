/**
 * Renders the menu next to the title: the page as Markdown, chats about the page, custom entries. Omits
 * entries that the deployment does not support: chats if the page is not public, and servers that are not
 * running.
 */
import { MCP_PATH } from '../../features/mcp/operations/mcp.ts'
import type { Icon } from '../../site/icon.ts'
import { parseJson } from '../../site/json.ts'
import type { SitePage } from '../../site/model.ts'
import { contextual as contextualSetting } from '../../site/settings/chrome-schema.ts'
import type { ContextualOption, SiteConfig } from '../../site/settings/config.ts'
import { readSetting } from '../../site/settings/read-setting.ts'
import { OUTPUT_FILE_PREFIX } from '../html/addresses.ts'
import { encodePath } from '../html/encode-path.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { iconMarkup, lucide } from '../icons/icon-markup.ts'
import { slug } from '../tree/slug.ts'
import type { UiText } from '../words/english.ts'
import { linkAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'

/** Chats with a URL that accepts a question. */
const CHAT_SERVICES: Record<string, { name: string; ask(question: string): string }> = {
  chatgpt: { name: 'ChatGPT', ask: (question) => `https://chatgpt.com/?hints=search&q=${question}` },
  claude: { name: 'Claude', ask: (question) => `https://claude.ai/new?q=${question}` },
  perplexity: { name: 'Perplexity', ask: (question) => `https://www.perplexity.ai/search?q=${question}` },
  grok: { name: 'Grok', ask: (question) => `https://grok.com/?q=${question}` },
  aistudio: {
    name: 'AI Studio',
    ask: (question) => `https://aistudio.google.com/prompts/new_chat?prompt=${question}`,
  },
  devin: { name: 'Devin', ask: (question) => `https://app.devin.ai/?prompt=${question}` },
  'devin-desktop': { name: 'Devin Desktop', ask: (question) => `devin://cascade?prompt=${question}` },
  windsurf: { name: 'Windsurf', ask: (question) => `windsurf://cascade?prompt=${question}` },
}

/** Editors and agents with a URL that adds an MCP server. */
const EDITORS: Record<string, { label: string; connect(name: string, url: string): string }> = {
  cursor: {
    label: 'Cursor',
    connect: (name, url) => {
      const config = encodeURIComponent(Buffer.from(JSON.stringify({ url })).toString('base64'))
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${config}`
    },
  },
  vscode: {
    label: 'VS Code',
    connect: (name, url) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
  },
  // Prefilled form for adding a server.
  'devin-mcp': {
    label: 'Devin',
    connect: (name, url) => {
      const config = Buffer.from(JSON.stringify({ name, transport: 'HTTP', url })).toString('base64')
      return `https://app.devin.ai/settings/mcp-marketplace/setup/custom?config=${encodeURIComponent(config)}`
    },
  },
}

type Option = string | ContextualOption

/** Menu entry, in two variants: as the main button and as an item of the list. */
interface Action {
  main: Markup
  item: Markup
}

/** Returns nothing if the menu is disabled and the page has no feed. */
export function pageActions(view: SiteView, page: SitePage, hasContents: boolean): Markup {
  const text = view.text(page.language)
  const actions = listActions(view, page)
  const feed = feedLink(view, page, text)
  const [first, ...more] = actions
  if (!first) return isEmpty(feed) ? feed : html`<div class="page-actions">${feed}</div>`
  const menu =
    more.length > 0 &&
    html`<details class="menu page-action-menu"><summary class="page-action" aria-label="${text.moreActions}"><span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list" id="page-context-menu">${createActionList(more)}</ul></details>`
  // The menu is also needed here, because the table of contents is hidden on narrow screens.
  const isElsewhere = hasContents && isBelowContents(view, page)
  const group = html`<div class="page-action-group"${attributes({ 'data-narrow-only': isElsewhere })}>${first.main}${menu}</div>`
  return html`<div class="page-actions">${feed}${group}</div>`
}

/** Returns the entries as a list below the table of contents, if the site is configured that way. */
export function contentsActions(view: SiteView, page: SitePage): Markup {
  const actions = isBelowContents(view, page) ? listActions(view, page) : []
  return actions.length === 0 ? [] : html`<ul class="toc-actions">${createActionList(actions)}</ul>`
}

function createActionList(actions: readonly Action[]): Markup {
  return actions.flatMap(({ item }) => html`<li>${item}</li>`)
}

function listActions(view: SiteView, page: SitePage): Action[] {
  const text = view.text(page.language)
  return listOptions(view, page).flatMap((option) => createAction(view, page, option, text) ?? [])
}

function isBelowContents(view: SiteView, page: SitePage): boolean {
  return findContextualOptions(view, page)?.display === 'toc'
}

/** Returns the menu of the page. If it is missing or invalid, returns the menu of the site. */
function findContextualOptions(view: SiteView, page: SitePage): SiteConfig['contextual'] {
  const { contextual, icons } = view.site.config
  const own = page.frontmatter.contextual
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return contextual
  const node = parseJson([], page.file ?? '', JSON.stringify(own))
  const scope = { problems: [], library: icons.library }
  const read = node && readSetting(scope, contextualSetting, node, 'contextual')
  if (!read) return contextual
  const { options, display } = own as Record<string, unknown>
  return {
    options: Array.isArray(options) ? read.options : (contextual?.options ?? []),
    display: display === undefined ? (contextual?.display ?? 'header') : read.display,
  }
}

function listOptions(view: SiteView, page: SitePage): readonly Option[] {
  return findContextualOptions(view, page)?.options ?? []
}

function createAction(view: SiteView, page: SitePage, option: Option, text: UiText): Action | null {
  if (typeof option !== 'string') return customAction(view, page, option)
  switch (option) {
    case 'copy':
      return button({ 'data-copy-page': true, 'data-copied': text.copied }, text.copyPage, 'copy')
    case 'view': {
      const twin = view.input.twins.get(page.route)
      return twin === undefined ? null : link(OUTPUT_FILE_PREFIX + twin, text.viewMarkdown, 'file-text')
    }
    case 'download-pdf':
      return button({ 'data-print-page': true }, text.savePdf, 'printer')
    case 'download-spec': {
      const spec = page.operation?.spec
      const isHere = spec !== undefined && view.site.assets.has(spec)
      return isHere ? link(`/${encodePath(spec)}`, text.downloadSpec, 'download', { download: true }) : null
    }
    case 'assistant':
      return view.input.assistant
        ? button({ 'data-open-assistant': true }, text.askAssistant, 'sparkles')
        : null
    default:
      return mcpAction(view, option, text) ?? chatAction(view, page, option, text)
  }
}

/** Returns the URL of the MCP server, which only hosted sites have. */
function getMcpUrl({ input }: SiteView): string | null {
  return input.deployment === 'cloud' && input.origin !== null ? input.origin + MCP_PATH : null
}

function mcpAction(view: SiteView, option: string, text: UiText): Action | null {
  const address = getMcpUrl(view)
  if (address === null) return null
  if (option === 'mcp') return button({ 'data-copy': address }, text.copyMcp, 'copy')
  if (option === 'add-mcp')
    return button({ 'data-copy': `npx add-mcp ${address}` }, text.copyMcpCommand, 'copy')
  const editor = Object.hasOwn(EDITORS, option) ? EDITORS[option] : undefined
  if (!editor) return null
  const name = slug(view.site.config.name) || 'docs'
  return link(editor.connect(name, address), `${text.connectTo} ${editor.label}`, 'plug')
}

/** Returns null if a chat cannot fetch the page: the origin is unknown, or the bundle is air-gapped. */
function chatAction(view: SiteView, page: SitePage, name: string, text: UiText): Action | null {
  const chat = Object.hasOwn(CHAT_SERVICES, name) ? CHAT_SERVICES[name] : undefined
  const address = view.input.deployment === 'air-gapped' ? null : getMarkdownUrl(view, page)
  if (!chat || address === null) return null
  const question = encodeURIComponent(`Read ${address} and answer questions about it.`)
  return link(chat.ask(question), `${text.askIn} ${chat.name}`, 'message-circle')
}

function getMarkdownUrl({ input }: SiteView, page: SitePage): string | null {
  const twin = input.twins.get(page.route)
  return input.origin === null || twin === undefined ? null : `${input.origin}/${encodePath(twin)}`
}

/**
 * Replaces `$page` with the URL of the page's Markdown version, because the text itself is too long for a URL.
 * Replaces `$mcp` with the URL of the MCP server.
 */
function customAction(view: SiteView, page: SitePage, option: ContextualOption): Action | null {
  const address = getMarkdownUrl(view, page)
  const server = getMcpUrl(view)
  if (option.href.includes('$page') && address === null) return null
  if (option.href.includes('$mcp') && server === null) return null
  const href = option.href
    .replaceAll('$path', encodeURIComponent(page.route))
    .replaceAll('$page', encodeURIComponent(address ?? ''))
    .replaceAll('$mcp', encodeURIComponent(server ?? ''))
  if (/^\s*(?:javascript|vbscript|data):/i.test(href)) return null
  return link(href, option.title, option.icon, { description: option.description })
}

function button(state: Record<string, string | boolean>, label: string, icon: string): Action {
  const own = attributes(state)
  return {
    main: html`<button type="button" id="page-context-menu-button" class="page-action"${own}>${actionIcon(icon)}<span class="page-action-label">${label}</span></button>`,
    item: html`<button type="button" class="nav-dropdown-item"${own}>${actionIcon(icon)}<span class="page-action-label">${label}</span></button>`,
  }
}

function link(
  href: string,
  label: string,
  icon: string | Icon | null,
  more: { description?: string | null; download?: boolean } = {},
): Action {
  const own = linkAttributes(href, { download: more.download === true })
  const description =
    more.description && html`<span class="nav-dropdown-item-description">${more.description}</span>`
  return {
    main: html`<a id="page-context-menu-button" class="page-action"${own}>${actionIcon(icon)}<span class="page-action-label">${label}</span></a>`,
    item: html`<a class="nav-dropdown-item"${own}>${actionIcon(icon)}<span class="nav-dropdown-item-text-container"><span>${label}</span>${description}</span></a>`,
  }
}

function actionIcon(icon: string | Icon | null): Markup {
  // CSS draws the icon, because it changes after copying.
  if (icon === 'copy') return html`<span class="copy-glyph" aria-hidden="true"></span>`
  return typeof icon === 'string' ? lucide(icon) : iconMarkup(icon)
}

function feedLink(view: SiteView, page: SitePage, text: UiText): Markup {
  const feed = view.input.feeds.get(page.route)
  if (feed === undefined) return []
  return html`<a class="page-action page-feed"${attributes({ href: OUTPUT_FILE_PREFIX + feed, 'aria-label': text.subscribe, title: text.subscribe })}>${lucide('rss')}</a>`
}
