/** Errors are HTML pages for browsers and JSON for other clients. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiUnderTest, JOBS, startApi, startJob, withKey } from './api-under-test.ts'

/** Accept header that Chromium sends when it navigates to a URL. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }

let clock = Date.now()
let api: ApiUnderTest
before(async () => {
  api = await startApi({ now: () => clock })
})
after(() => api[Symbol.asyncDispose]())

/** Returns the error page and checks that its policy allows only its own style. */
async function pageOf(response: Response): Promise<string> {
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; style-src 'sha256-[\w+/=]+'/)
  assert.doesNotMatch(policy, /script-src/)
  return response.text()
}

test('an unknown URL returns an HTML page to browsers and a JSON error to other clients', async () => {
  const asked = await fetch(`${api.url}/nothing-here?a=<b>`, { headers: BROWSER })
  assert.equal(asked.status, 404)
  const page = await pageOf(asked)
  assert.match(page, /<h1>There is no page at this URL<\/h1>/)
  assert.match(page, /<a href="\/">Go to the start page<\/a>/)
  assert.match(page, /color-scheme: light dark/)
  assert.ok(page.includes(`404 not_found · ${asked.headers.get('x-request-id')}`))
  for (const accept of ['*/*', 'application/json', '']) {
    const answer = await fetch(`${api.url}/nothing-here`, { headers: { Accept: accept } })
    assert.deepEqual([answer.status, await answer.json()], [404, { error: 'Not found', code: 'not_found' }])
  }
})

test('API paths and POST requests return JSON errors, also to browsers', async () => {
  for (const path of ['/v1/nothing', JOBS, '/internal/nothing', '/internal/session/nothing']) {
    const answer = await fetch(api.url + path, { headers: BROWSER })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, path)
    assert.ok((await answer.json()).code)
  }
  const sent = await fetch(`${api.url}/nothing-here`, { method: 'POST', headers: BROWSER })
  assert.deepEqual([sent.status, (await sent.json()).code], [404, 'not_found'])
})

test('an invalid URL returns an error page, and HEAD returns no body', async () => {
  const broken = await fetch(`${api.url}/%zz`, { headers: BROWSER })
  assert.equal(broken.status, 400)
  await pageOf(broken)
  const look = await fetch(`${api.url}/nothing-here`, { method: 'HEAD', headers: BROWSER })
  assert.equal(look.status, 404)
  assert.equal(await pageOf(look), '')
})

test('an expired or altered archive link returns a page that says what to do', async () => {
  const jobId = await startJob(api, api.acme)
  await api.completeExport(jobId, Buffer.from('archive'))
  const made = await api.fetch(`${JOBS}/${jobId}/bundle`, withKey(api.acme.key, { method: 'POST' }))
  const { bundleUrl } = (await made.json()) as { bundleUrl: string }
  const link = new URL(bundleUrl)
  const open = (query: string) => fetch(`${api.url}${link.pathname}${query}`, { headers: BROWSER })

  const altered = await open(link.search.replace(/.$/, (last) => (last === '0' ? '1' : '0')))
  assert.equal(altered.status, 403)
  assert.match(
    await pageOf(altered),
    /<h1>This link is not valid<\/h1>\s*<p dir="auto">Request a new one\.<\/p>/,
  )
  clock -= 365 * 86_400_000
  const again = await api.fetch(`${JOBS}/${jobId}/bundle`, withKey(api.acme.key, { method: 'POST' }))
  const old = new URL(((await again.json()) as { bundleUrl: string }).bundleUrl)
  const expired = await open(old.search)
  assert.equal(expired.status, 403)
  assert.match(await pageOf(expired), /<h1>This link has expired<\/h1>/)
})
