/** Tokens that readers request from an OAuth server, on a page over HTTP and from disk. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { browserTest } from '../kit/browser.ts'
import { CLIENT, type OAuthProvider, startOAuthProvider } from '../kit/oauth-provider.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { openForm, siteOf, type TriedSite } from '../kit/try-operations.ts'
import { serveFolder } from './feedback-scene.ts'

let provider: OAuthProvider
let api: RecordingServer
let tried: TriedSite
let served: { url: string } & AsyncDisposable
before(async () => {
  api = await startRecordingServer()
  provider = await startOAuthProvider(() => [`${served.url}/_octavo/signed-in.html`])
  const { url } = provider
  tried = await siteOf(description(url), api)
  served = await serveFolder(tried.site.out)
})
after(async () => {
  for (const one of [served, tried, provider, api]) await one[Symbol.asyncDispose]()
})

function description(url: string): JsonObject {
  const flow = { tokenUrl: `${url}/token`, scopes: { read: 'Read', write: 'Write' } }
  const operation = (name: string, scopes: string[]) => ({
    get: {
      summary: `By ${name}`,
      security: [{ [name]: scopes }],
      responses: { 200: { description: 'Done' } },
    },
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Signing in', version: '1' },
    paths: { '/oauth': operation('oauth', ['read']), '/openid': operation('openid', ['email']) },
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: { ...flow, authorizationUrl: `${url}/authorize?tenant=a` },
            clientCredentials: flow,
          },
        },
        openid: { type: 'openIdConnect', openIdConnectUrl: `${url}/.well-known/openid-configuration` },
      },
    },
  }
}

async function onPage(
  open: (operation: string) => string,
  operation: string,
  browser: Parameters<Parameters<typeof browserTest>[1]>[0],
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await openForm(page, open(tried.forms.get(operation) ?? assert.fail(operation)))
    await act(page)
  } finally {
    await context.close()
  }
}
const overHttp = (name: string) => `${served.url}/${name}.html`
const fromDisk = (name: string) => tried.site.at(name)

const flowOf = (page: Page, kind: string) => page.locator('.try-token').filter({ hasText: kind })

async function openFlow(page: Page, kind: string, secret = '') {
  const flow = flowOf(page, kind)
  await flow.locator('summary').click()
  await flow.getByLabel('Client ID').fill(CLIENT.id)
  if (secret !== '') await flow.getByLabel('Client secret').fill(secret)
  return flow.getByRole('button')
}

const tokenOf = (page: Page) => page.locator('.try-scheme').getByLabel('Token', { exact: true })

/** Sends a request and returns the `Authorization` header that the API received. */
async function sentToken(page: Page): Promise<string | undefined> {
  const before = api.requests.length
  await page.locator('.try-send').click()
  await page.locator('.try-status').getByText('200').waitFor()
  return api.requests[before]?.headers.authorization
}

browserTest('exchanges an authorization code with PKCE for a token and sends it to the API', (browser) =>
  onPage(overHttp, 'GET /oauth', browser, async (page) => {
    provider.answer = 'consent'
    const ask = await openFlow(page, 'authorizationCode')
    const [popup] = await Promise.all([page.waitForEvent('popup'), ask.click()])
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>('.try-scheme input')].some((one) =>
        one.value.startsWith('person-'),
      ),
    )
    assert.match((await sentToken(page)) ?? '', /^Bearer person-[0-9a-f]{16}$/)
    const asked = provider.authorizations.at(-1)
    assert.equal(asked?.get('tenant'), 'a')
    assert.equal(asked?.get('scope'), 'read')
    assert.match(asked?.get('state') ?? '', /^[\w-]{43}$/)
    const sent = provider.tokens.at(-1)
    assert.equal(sent?.authorization, undefined)
    assert.equal(sent?.fields.has('client_secret'), false)
    if (!popup.isClosed()) await popup.waitForEvent('close')
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }))
    assert.doesNotMatch(stored, /person-/)
  }),
)

browserTest('a refusal, a response with another state and a cancellation leave no token', (browser) =>
  onPage(overHttp, 'GET /oauth', browser, async (page) => {
    const before = provider.tokens.length
    const ask = await openFlow(page, 'authorizationCode')
    provider.answer = 'refuse'
    await ask.click()
    await page.getByRole('alert').getByText('The person said no.').waitFor()

    provider.answer = 'other state'
    const [strange] = await Promise.all([page.waitForEvent('popup'), ask.click()])
    if (!strange.isClosed()) await strange.waitForEvent('close')
    assert.equal(await ask.textContent(), 'Cancel')
    await ask.click()

    provider.answer = 'wait'
    const [popup] = await Promise.all([page.waitForEvent('popup'), ask.click()])
    await popup.getByText('Who are you?').waitFor()
    await Promise.all([popup.waitForEvent('close'), ask.click()])
    assert.equal(await ask.textContent(), 'Get a token')
    assert.equal(await tokenOf(page).inputValue(), '')
    assert.equal(provider.tokens.length, before)
  }),
)

browserTest('gets a token through OpenID Connect discovery', (browser) =>
  onPage(overHttp, 'GET /openid', browser, async (page) => {
    provider.answer = 'consent'
    await (await openFlow(page, 'authorizationCode')).click()
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>('.try-scheme input')].some((one) =>
        one.value.startsWith('person-'),
      ),
    )
    assert.match((await sentToken(page)) ?? '', /^Bearer person-/)
    assert.equal(provider.authorizations.at(-1)?.get('scope'), 'openid email')
  }),
)

browserTest(
  'sends client credentials from disk, in the body or in a header if the service requires it',
  (browser) =>
    onPage(fromDisk, 'GET /oauth', browser, async (page) => {
      await page.getByText('Signing in needs a page that came over https.').waitFor()
      assert.equal(await flowOf(page, 'authorizationCode').count(), 0)
      const ask = await openFlow(page, 'clientCredentials', 'wrong')
      await ask.click()
      await page.getByRole('alert').getByText('Unknown client.').waitFor()
      await flowOf(page, 'clientCredentials').getByLabel('Client secret').fill(CLIENT.secret)
      for (const wantsHeader of [false, true]) {
        provider.wantsHeader = wantsHeader
        const before = await tokenOf(page).inputValue()
        await ask.click()
        await page.waitForFunction(
          (old) =>
            [...document.querySelectorAll<HTMLInputElement>('.try-scheme input')].some(
              (one) => one.value.startsWith('machine-') && one.value !== old,
            ),
          before,
        )
        assert.match((await sentToken(page)) ?? '', /^Bearer machine-/)
        assert.equal(provider.tokens.at(-1)?.authorization !== undefined, wantsHeader)
      }
    }),
)
