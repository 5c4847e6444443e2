/** The documented script API of the format, used as scripts of sites use it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { groups: [{ group: 'API', openapi: 'api.json' }] },
  }),
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Acme', version: '1' },
    servers: [
      {
        url: 'https://{tenant}.example.com/{region}',
        variables: { tenant: { default: 'demo' }, region: { default: 'eu', enum: ['eu', 'us'] } },
      },
    ],
    paths: { '/things': { get: { operationId: 'things', summary: 'Things', responses: { 200: {} } } } },
  }),
  'tenant.js': `window.told = []
window.addEventListener('mintlify:user', (event) => told.push(event.detail))
window.mintlify.api.playground.setServerVariables({ tenant: 'acme', region: 'mars', other: 'x', port: 1 })
window.known = typeof window.mintlify.user
`,
}

let folder: string
let site: BuiltSite
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-site-scripts-'))
  await writeSite(folder, FILES)
  site = await buildSite(folder, 'client-hosted')
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Checks the values of `https://{tenant}.example.com/{region}` in the form. */
async function goesTo(page: Page, tenant: string, region: string): Promise<void> {
  await page.locator('.try-foot').getByText(`${tenant}.example.com`).waitFor()
  assert.equal(await page.getByLabel('region').inputValue(), region)
}

const give = (page: Page, values: Record<string, string> | null) =>
  page.evaluate((given) => {
    const { playground } = (globalThis as unknown as Scripted).mintlify.api
    if (given) playground.setServerVariables(given)
    else playground.clearServerVariables()
  }, values)

interface Scripted {
  mintlify: {
    api: {
      playground: { setServerVariables(values: Record<string, string>): void; clearServerVariables(): void }
    }
  }
}

browserTest('site scripts set server variables before and after the playground form is opened', (browser) =>
  site.visit(browser, 'api-reference/things', {}, async (page) => {
    await page.locator('.try-button').click()
    // `mars` is not in the enum of `region`, so the form shows the default.
    await goesTo(page, 'acme', 'eu')
    const tenant = page.getByLabel('tenant')
    assert.equal(await tenant.inputValue(), 'acme')
    await give(page, { region: 'us' })
    await goesTo(page, 'demo', 'us')
    // Input of the reader has precedence until the script sets another value.
    await tenant.fill('mine')
    await goesTo(page, 'mine', 'us')
    await give(page, { tenant: 'theirs' })
    await goesTo(page, 'theirs', 'eu')
    await give(page, null)
    await goesTo(page, 'mine', 'eu')
  }),
)

browserTest('the mintlify:user event tells site scripts that there is no signed-in user', (browser) =>
  site.visit(browser, 'api-reference/things', {}, async (page) => {
    await page.waitForFunction('told.length > 0')
    assert.deepEqual(await page.evaluate('[told, known]'), [[null], 'undefined'])
  }),
)
