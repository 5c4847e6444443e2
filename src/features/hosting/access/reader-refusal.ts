/** Responses for readers without access and for sites that cannot be served. */
import { originHeaders } from '../../../base/api/origins.ts'
import { ACCESS_LEAVE_PATH, ACCESS_MEMBERS_PATH, ACCESS_PATH } from '../operations/site-access.ts'
import type { SiteRequest, SiteResponse } from '../serve/site-request.ts'
import { type EntranceLanguage, selectEntranceLanguage } from './entrance-words.ts'
import type { HostedSite } from './site-access.ts'

const STYLE = `:root{color-scheme:light dark;--text:#1c1f26;--soft:#5b6270;--line:#c9ced8;--page:#fbfbfd;--card:#fff;--main:#2f5bd0;--on-main:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e8eaf0;--soft:#a3aab8;--line:#4a5060;--page:#111318;--card:#181b22;--main:#8fb0ff;--on-main:#0d1220;--wrong:#ff9c94}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem;padding:2rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
h1{margin:0 0 .25rem;font-size:1.25rem;line-height:1.3;overflow-wrap:anywhere}
p{margin:0 0 1.25rem;color:var(--soft)}
label{display:block;margin-bottom:.35rem;font-weight:500}
input{width:100%;padding:.6rem .75rem;border:1px solid var(--line);border-radius:8px;background:var(--page);color:inherit;font:inherit}
button,.way{display:block;width:100%;margin-top:.75rem;padding:.6rem .75rem;border:1px solid var(--main);border-radius:8px;background:var(--main);color:var(--on-main);font:inherit;font-weight:500;text-align:center;text-decoration:none;cursor:pointer}
.way,.quiet{background:none;color:inherit;border-color:var(--line)}
:focus-visible{outline:2px solid var(--main);outline-offset:2px}
.wrong{margin:.5rem 0 0;color:var(--wrong)}`

export interface EntranceOptions {
  host: string
  /** URL path to open after signing in. */
  to: string
  hasPassword: boolean
  admitsMembers: boolean
  acceptLanguage: string
  wrong?: 'entranceWrongPassword' | 'entranceTooMany' | 'entranceLinkEnded' | 'entranceSignInAgain'
}

/** `401`, as HTML or text depending on `accept`. The sign-in form is shown at the URL of the requested page. */
export async function refuseReader(
  { access }: HostedSite,
  { host, target, method, accept, acceptLanguage }: SiteRequest,
): Promise<SiteResponse> {
  const headers = { 'www-authenticate': 'Bearer realm="docs"' }
  if (!accept.includes('text/html'))
    return refusalResponse(
      401,
      'text/plain',
      'This site is private. Send a signed token as a bearer.\n',
      headers,
    )
  const to = method === 'GET' || method === 'HEAD' ? target : '/'
  const hasPassword = access.passes.some(({ kind }) => kind === 'password')
  const entranceOptions = { host, to, hasPassword, acceptLanguage: acceptLanguage ?? '', ...access }
  return refusalResponse(401, 'text/html', entrancePage(entranceOptions), {
    ...headers,
    vary: 'accept-language',
  })
}

export function entranceResponse(status: 200 | 401 | 429, page: EntranceOptions): SiteResponse {
  return refusalResponse(status, 'text/html', entrancePage(page), { vary: 'accept-language' })
}

export function signOutPage({
  host,
  to,
  acceptLanguage,
}: Pick<EntranceOptions, 'host' | 'to' | 'acceptLanguage'>): SiteResponse {
  const localized = selectEntranceLanguage(acceptLanguage)
  const { words } = localized
  const body = `<h1>${withHost(words.entranceMayRead, host)}</h1>
<p>${words.entranceRemembered}</p>
<a class="way" href="${text(to)}">${words.entranceGoOn}</a>
<form method="post" action="${ACCESS_LEAVE_PATH}"><button class="quiet">${words.entranceSignOut}</button></form>`
  return refusalResponse(200, 'text/html', page(body, words.entranceTitle, localized), {
    vary: 'accept-language',
  })
}

/** `410`: the site's project is deleted, or archived and not served. Its host name stays reserved. */
export function takenDownResponse({ host, accept }: SiteRequest): SiteResponse {
  if (!accept.includes('text/html'))
    return refusalResponse(410, 'text/plain', 'This site has been taken down.\n')
  const body = `<h1>${text(host)} has been taken down</h1>
<p style="margin:0">Its owners have taken this site down.</p>`
  return refusalResponse(410, 'text/html', page(body, 'Site taken down'))
}

/** `404`: does not reveal whether a preview was removed or has expired. */
export function noPreviewResponse({ accept }: SiteRequest): SiteResponse {
  if (!accept.includes('text/html'))
    return refusalResponse(404, 'text/plain', 'There is no preview at this URL.\n')
  const body = `<h1>There is no preview here</h1>
<p style="margin:0">It was removed, or its time is over. The pull request and the dashboard name those that are there.</p>`
  return refusalResponse(404, 'text/html', page(body, 'No preview'))
}

/** `404`: no project has this host name, or its ownership is not verified. */
export function noSiteResponse(accept: string): SiteResponse {
  if (!accept.includes('text/html'))
    return refusalResponse(404, 'text/plain', 'There is no site at this URL.\n')
  const body = `<h1>There is no site at this URL</h1>
<p style="margin:0">It may be mistyped, or its owners have moved the site.</p>`
  return refusalResponse(404, 'text/html', page(body, 'No site'))
}

/** `503` for authorized readers until a version is published. */
export function notPublishedResponse({ isPreview }: HostedSite, request: SiteRequest): SiteResponse {
  return notReadyResponse(
    request,
    isPreview ? 'This preview is not ready yet' : 'This site has not been published yet',
  )
}

/** `503`: a version is expected soon, so the page reloads automatically. */
export function notReadyResponse({ accept }: SiteRequest, sentence: string): SiteResponse {
  const headers = { 'retry-after': String(RELOAD_SECONDS) }
  if (!accept.includes('text/html')) return refusalResponse(503, 'text/plain', `${sentence}.\n`, headers)
  const body = `<h1>${sentence}</h1>
<p style="margin:0">This page looks again every few seconds.</p>`
  const again = `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">`
  return refusalResponse(503, 'text/html', page(body, 'Not there yet', ENGLISH, again), headers)
}

const RELOAD_SECONDS = 5

const HEADERS = originHeaders('site')

function refusalResponse(
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): SiteResponse {
  return {
    status,
    headers: {
      ...HEADERS,
      ...headers,
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      // With a stricter policy, browsers send the form with the origin `null`, which the server rejects.
      'referrer-policy': 'same-origin',
    },
    body,
  }
}

function entrancePage({
  host,
  to,
  hasPassword,
  admitsMembers,
  acceptLanguage,
  wrong,
}: EntranceOptions): string {
  const localized = selectEntranceLanguage(acceptLanguage)
  const { words } = localized
  const about = hasPassword
    ? words.entranceWithPassword
    : admitsMembers
      ? words.entranceForMembers
      : words.entranceWithLink
  const fault = wrong === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${words[wrong]}</p>`
  const described = wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"'
  const form = `<form method="post" action="${ACCESS_PATH}">
<input type="hidden" name="to" value="${text(to)}">
<label for="password">${words.entrancePassword}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described}>
${fault}<button>${words.entranceGo}</button></form>`
  const members = `<a class="way" href="${ACCESS_MEMBERS_PATH}?to=${encodeURIComponent(to)}">${words.entranceSignIn}</a>`
  const body = `<h1>${withHost(words.entranceIsPrivate, host)}</h1>
<p>${about}</p>
${hasPassword ? form : fault}${admitsMembers ? members : ''}`
  return page(body, words.entranceTitle, localized)
}

/** Isolates the host name, which is left-to-right in every language. */
function withHost(sentence: string, host: string): string {
  return sentence.replace('{host}', () => `<bdi>${text(host)}</bdi>`)
}

const ENGLISH = { tag: 'en', direction: 'ltr' } as const

function page(
  body: string,
  title: string,
  { tag, direction }: Pick<EntranceLanguage, 'tag' | 'direction'> = ENGLISH,
  more = '',
): string {
  return `<!doctype html><html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${more}<title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>\n`
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
