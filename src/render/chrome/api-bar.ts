/** Renders the endpoint of an API page: colored method, server, path and copy button. */
import type { Site, SitePage } from '../../site/model.ts'
import { isSpecUrl } from '../../site/reference/spec-sources.ts'
import { channelAddress, findChannel, findChannelProtocol } from '../api/channel.ts'
import { findOperation } from '../api/operation.ts'
import { type ApiServer, listServers } from '../api/servers.ts'
import type { Markup } from '../html/markup.ts'
import { breakable, html } from '../html/template.ts'
import type { UiText } from '../words/english.ts'
import { formatText } from './format-text.ts'
import type { SiteView } from './site-view.ts'

interface Endpoint {
  /** In upper case. */
  method: string
  path: string
}

/** Returns the endpoint of a page with an operation or with `api: POST /path` in its frontmatter, or null. */
export function findEndpoint(site: Site, page: SitePage): Endpoint | null {
  const { operation } = page
  if (operation?.method === 'CHANNEL') return createChannelEndpoint(site, operation)
  if (operation) return { method: operation.method, path: operation.path }
  const { api } = page.frontmatter
  const match = typeof api === 'string' ? /^\s*([A-Za-z]+)\s+(\S+)/.exec(api) : null
  return match ? { method: (match[1] ?? '').toUpperCase(), path: match[2] ?? '' } : null
}

function createChannelEndpoint(site: Site, operation: NonNullable<SitePage['operation']>): Endpoint {
  const document = site.apis.get(operation.spec)
  const channel = document && findChannel(document.root, operation.path)
  if (!document || !channel) return { method: 'CHANNEL', path: operation.path }
  return {
    method: findChannelProtocol(document.root, channel) ?? 'CHANNEL',
    path: channelAddress(operation.path, channel),
  }
}

export function apiBar(view: SiteView, page: SitePage): Markup {
  const endpoint = findEndpoint(view.site, page)
  if (!endpoint || endpoint.method === 'SCHEMA') return []
  const text = view.text(page.language)
  const { base, path } = splitAddress(endpoint.path)
  const servers = page.operation ? operationServers(view.site, page) : pageServers(view.site, base)
  const bare = base === '' ? path : endpoint.path
  return html`<div class="api-bar" data-endpoint="${endpoint.method}" data-path="${bare}"><span class="method-pill" data-method="${endpoint.method}">${endpoint.method}</span><div class="api-address">${serverHtml(view, servers, text)}<code class="api-path">${pathHtml(path)}</code></div><button type="button" class="icon-button copy-button" data-copy="${bare}" aria-label="${text.copy}"><span class="copy-glyph" aria-hidden="true"></span></button>${tryButton(view, page, text)}</div>`
}

/** Renders the button that opens the playground. Hidden without JavaScript. */
function tryButton({ input }: SiteView, page: SitePage, text: UiText): Markup {
  if (!input.playground?.data.has(page.route)) return []
  return html`<button type="button" class="try-button" aria-haspopup="dialog" data-failed="${text.tryFailed}">${text.tryIt}</button>`
}

function pathHtml(path: string): Markup {
  return path
    .split(/(\{[^{}]*\}|(?<=\/):[A-Za-z_]\w*)/)
    .flatMap((part, index) =>
      index % 2 === 0 ? breakable(part) : html`<span class="api-parameter">${breakable(part)}</span>`,
    )
}

/** Splits `https://host/v1/users` into base and path. The base of a path is empty. */
function splitAddress(address: string): { base: string; path: string } {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]+)(.*)$/is.exec(address)
  return match ? { base: match[1] ?? '', path: match[2] || '/' } : { base: '', path: address }
}

function operationServers(site: Site, { operation }: SitePage): ApiServer[] {
  const document = operation && site.apis.get(operation.spec)
  if (!document || document.kind === 'asyncapi' || operation.method === 'WEBHOOK') return []
  const found = findOperation(document.root, operation)
  return found
    ? listServers(
        document.root,
        [found.operation, found.item],
        isSpecUrl(operation.spec) ? operation.spec : null,
      )
    : []
}

function pageServers(site: Site, base: string): ApiServer[] {
  const urls = base === '' ? site.config.api.baseUrls : [base]
  return urls.map((url) => ({ url: url.replace(/(?<!\/)\/+$/, ''), description: '', variables: [] }))
}

/** Renders the server, as a menu if there are several or it has a description. */
function serverHtml(view: SiteView, servers: readonly ApiServer[], text: UiText): Markup {
  const [first] = servers
  if (!first) return []
  const hasWords = servers.some((server) => server.description !== '' || server.variables.length > 0)
  if (servers.length === 1 && !hasWords) {
    const isShown = view.site.config.api.hasFullUrl
    return isShown ? html`<span class="api-base">${first.url}</span>` : []
  }
  const items = servers.flatMap((server, index) => serverItem(server, index === 0))
  return html`<details class="menu api-servers"><summary aria-label="${text.apiServer}: ${first.url}"><span class="api-base">${first.url}</span><span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list">${items}</ul></details>`
}

function serverItem({ url, description, variables }: ApiServer, isChosen: boolean): Markup {
  const descriptionHtml =
    description !== '' && html`<span class="api-server-about">${formatText(description)}</span>`
  const rows = variables.flatMap(({ name, initial, description: meaning, options }) => {
    const values = options.length > 0 ? options : initial === '' ? [] : [initial]
    const codes = values.flatMap((value, index) => html`${index > 0 && ' '}<code>${value}</code>`)
    const words = meaning !== '' && html` <span>${formatText(meaning)}</span>`
    return html`<li><code>{${name}}</code> ${codes}${words}</li>`
  })
  const list = rows.length > 0 && html`<ul class="api-variables">${rows}</ul>`
  return html`<li><button type="button" class="api-server" data-server="${url}" aria-pressed="${String(isChosen)}"><span class="api-server-url">${url}</span></button>${descriptionHtml}${list}</li>`
}
