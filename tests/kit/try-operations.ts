/** Fills each form of an API description with its example, sends it and checks the received request. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { type BuiltSite, buildSite } from './built-site.ts'
import { requestJudge, SECRET } from './described-request.ts'
import { withoutServers } from './example-requests.ts'
import type { RecordingServer } from './recording-server.ts'

export interface TriedSite extends AsyncDisposable {
  site: BuiltSite
  /** Pages with a form, by `METHOD /path`. */
  forms: ReadonlyMap<string, string>
}

/** Builds a site from one API description whose only server is the recording one. */
export async function siteOf(
  description: JsonObject,
  server: Pick<RecordingServer, 'url'>,
): Promise<TriedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-try-'))
  const document = describedAt(description, server)
  const config = {
    name: 'Try',
    colors: { primary: '#3344ff' },
    navigation: { groups: [{ group: 'API', openapi: 'api.json' }] },
  }
  await writeFile(join(folder, 'api.json'), JSON.stringify(document))
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config))
  const site = await buildSite(folder, 'client-hosted')
  const forms = new Map<string, string>()
  for (const name of await readdir(site.out, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    const html = await readFile(join(site.out, name), 'utf8')
    const found = /data-endpoint="(\w+)" data-path="([^"]*)"/.exec(html)
    if (found && html.includes('class="try-button"'))
      forms.set(`${found[1]} ${found[2]}`, name.replace(/\.html$/, ''))
  }
  return {
    site,
    forms,
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the description with the recording server as its only server. */
export function describedAt(description: JsonObject, { url }: Pick<RecordingServer, 'url'>): JsonObject {
  return { ...description, paths: withoutServers(description.paths), servers: [{ url }] }
}

export async function openForm(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  await page.locator('.try-button').click()
  await page.locator('.try-dialog[open] .try-send').waitFor()
}

/** Returns the faults in the request of each operation. `addressOf` returns the URL of a page. */
export async function tryAll(
  browser: Browser,
  description: JsonObject,
  server: RecordingServer,
  { forms }: TriedSite,
  addressOf: (name: string) => string,
): Promise<string[]> {
  const faults: string[] = []
  const judge = requestJudge(description)
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  for (const [operation, name] of forms) {
    await openForm(page, addressOf(name))
    await page.locator('.try-plain').last().click()
    for (const input of await page.locator('.try-dialog input[type=file]').all())
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a file') })
    const typed = page.locator('.try-scheme input:is([type=password], [type=text]):visible')
    for (const input of await typed.all()) await input.fill(SECRET)
    const before = server.requests.length
    await page.locator('.try-send').click()
    await page.locator('.try-result .try-status, .try-fault').first().waitFor()
    const arrived = server.requests.slice(before)
    const told = arrived.length > 0 ? '' : await page.locator('.try-fault').allTextContents()
    if (arrived.length === 0) faults.push(`${operation}: nothing arrived (${told})`)
    // There are two requests if the direct response was unreadable and the platform sent it again.
    for (const request of arrived)
      for (const fault of await judge.faults(operation, request)) faults.push(`${operation}: ${fault}`)
  }
  await context.close()
  return faults
}
