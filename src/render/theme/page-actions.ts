/** The menu beside the title: copy the page as text, ask a chat about it, the site's own entries. */
import type { ContextualOption } from '../../site/config.ts'
import type { SitePage } from '../../site/model.ts'
import { escapeHtml } from './html.ts'
import { iconPlaceholder, lucide } from './icon-placeholder.ts'
import { outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import type { UiText } from './ui-text.ts'

/** Chats that take a question in their address. */
const CHATS: Record<string, { name: string; ask(question: string): string }> = {
  chatgpt: { name: 'ChatGPT', ask: (question) => `https://chatgpt.com/?hints=search&q=${question}` },
  claude: { name: 'Claude', ask: (question) => `https://claude.ai/new?q=${question}` },
  perplexity: { name: 'Perplexity', ask: (question) => `https://www.perplexity.ai/search?q=${question}` },
  grok: { name: 'Grok', ask: (question) => `https://grok.com/?q=${question}` },
}

/** Empty when the site or the page wants no menu. */
export function pageActions(view: SiteView, page: SitePage): string {
  const options = optionsOf(view, page)
  const text = view.text(page.language)
  const items = options.flatMap((option) => {
    if (typeof option === 'string') return option === 'copy' ? [] : [chatItem(view, page, option, text)]
    return [customItem(option, page)]
  })
  const shown = items.filter((item) => item !== '')
  const copies = options.includes('copy')
  if (!copies && shown.length === 0) return ''
  const main = copies
    ? `<button type="button" id="page-context-menu-button" class="page-action" data-copied="${escapeHtml(text.copied)}"><span class="copy-glyph" aria-hidden="true"></span><span class="page-action-label">${escapeHtml(text.copyPage)}</span></button>`
    : ''
  const more = shown.length
    ? `<details class="menu page-action-menu"><summary class="page-action" aria-label="${escapeHtml(text.moreActions)}">${copies ? '' : escapeHtml(text.moreActions)}<span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list" id="page-context-menu">${shown.join('')}</ul></details>`
    : ''
  return `<div class="page-actions">${main}${more}</div>`
}

function optionsOf(view: SiteView, page: SitePage): readonly (string | ContextualOption)[] {
  const own = page.frontmatter.contextual
  if (typeof own === 'object' && own !== null && 'options' in own && Array.isArray(own.options)) {
    return own.options.filter((option): option is string => typeof option === 'string')
  }
  return view.site.config.contextual?.options ?? []
}

/** A chat needs an address it can reach: none without a known origin, none in a bundle without a network. */
function chatItem(view: SiteView, page: SitePage, name: string, text: UiText): string {
  const chat = Object.hasOwn(CHATS, name) ? CHATS[name] : undefined
  const { origin, deployment } = view.input
  if (!chat || origin === null || deployment === 'air-gapped') return ''
  const question = encodeURIComponent(`Read ${origin}${page.route} and answer questions about it.`)
  const href = chat.ask(question)
  return `<li><a class="nav-dropdown-item" href="${escapeHtml(href)}"${outwardAttributes(href)}>${lucide('message-circle')}<span>${escapeHtml(`${text.askIn} ${chat.name}`)}</span></a></li>`
}

function customItem(option: ContextualOption, page: SitePage): string {
  const href = option.href.replaceAll('$path', encodeURIComponent(page.route))
  if (href.includes('$page') || href.includes('$mcp')) return ''
  const description = option.description
    ? `<span class="nav-dropdown-item-description">${escapeHtml(option.description)}</span>`
    : ''
  return `<li><a class="nav-dropdown-item" href="${escapeHtml(href)}"${outwardAttributes(href)}>${iconPlaceholder(option.icon)}<span class="nav-dropdown-item-text-container"><span>${escapeHtml(option.title)}</span>${description}</span></a></li>`
}
