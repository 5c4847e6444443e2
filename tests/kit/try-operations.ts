/** Fills every form of a description with its example, sends it, and looks at what arrived. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Browser, Page } from 'playwright-core'
import { fieldsOf, followReference, type JsonObject, listOf } from '../../src/openapi/api-json.ts'
import { type BuiltSite, buildSite } from './built-site.ts'
import type { RecordedRequest, RecordingServer } from './recording-server.ts'

export interface TriedSite extends AsyncDisposable {
  site: BuiltSite
  /** Pages with a form, by `METHOD /path`. */
  forms: ReadonlyMap<string, string>
}

/** A site of one description; its only server is the one that records. */
export async function siteOf(description: JsonObject, server: RecordingServer): Promise<TriedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-try-'))
  const document = { ...description, servers: [{ url: server.url }] }
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

export async function openForm(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  await page.locator('.try-button').click()
  await page.locator('.try-dialog[open] .try-send').waitFor()
}

/** What is wrong with the request of each operation; `addressOf` tells where a page of the site can be opened. */
export async function tryAll(
  browser: Browser,
  description: JsonObject,
  server: RecordingServer,
  { forms }: TriedSite,
  addressOf: (name: string) => string,
): Promise<string[]> {
  const faults: string[] = []
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  for (const [operation, name] of forms) {
    await openForm(page, addressOf(name))
    await page.locator('.try-plain').last().click()
    for (const input of await page.locator('.try-dialog input[type=file]').all())
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a file') })
    for (const input of await page.locator('.try-scheme input[type=password]:visible').all())
      await input.fill('secret')
    const before = server.requests.length
    await page.locator('.try-send').click()
    await page.locator('.try-result .try-status, .try-fault').first().waitFor()
    const request = server.requests[before]
    const told = request ? '' : await page.locator('.try-fault').allTextContents()
    if (!request) faults.push(`${operation}: nothing arrived (${told})`)
    else
      faults.push(...requestFaults(description, operation, request).map((fault) => `${operation}: ${fault}`))
  }
  await context.close()
  return faults
}

/** By the description, read by an independent validator of schemas. */
function requestFaults(root: JsonObject, operation: string, request: RecordedRequest): string[] {
  const [method = '', path = ''] = operation.split(' ')
  const item = followReference(root, fieldsOf(root.paths)[path])
  const described = fieldsOf(item[method.toLowerCase()])
  const faults: string[] = []
  if (request.method !== method) faults.push(`sent as ${request.method}`)
  const [target = '', query = ''] = request.target.split('?')
  const [bare = ''] = path.split('?')
  const pattern = new RegExp(`^${bare.replace(/[.+*^$()|]/g, '\\$&').replace(/\{[^{}]+\}/g, '[^/]+')}$`)
  if (!pattern.test(target)) faults.push(`sent to ${target}`)
  const sent = new URLSearchParams(query)
  for (const one of [...listOf(item.parameters), ...listOf(described.parameters)]) {
    const { name, in: place, required } = followReference(root, one)
    if (required !== true) continue
    if (place === 'query' && ![...sent.keys()].some((key) => key.startsWith(String(name))))
      faults.push(`no ${name}`)
    if (place === 'header' && request.headers[String(name).toLowerCase()] === undefined)
      faults.push(`no ${name}`)
  }
  return [...faults, ...bodyFaults(root, described, request)]
}

function bodyFaults(root: JsonObject, operation: JsonObject, request: RecordedRequest): string[] {
  const { content, required } = followReference(root, operation.requestBody)
  const type = request.headers['content-type']?.split(';')[0] ?? ''
  const described = Object.entries(fieldsOf(content))
  if (described.length === 0) return []
  if (request.body === '') return required === true && request.method !== 'GET' ? ['no body'] : []
  const media = described.find(([name]) => name.split(';')[0] === type)?.[1]
  if (media === undefined)
    return described.some(([name]) => name.includes('*')) ? [] : [`a body of type ${type}`]
  if (!/json/.test(type)) return []
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...(withoutNullable(root) as JsonObject), $id: 'https://description.test/' })
  const check = ajv.compile(
    relativeTo('https://description.test/', withoutNullable(fieldsOf(media).schema)) as JsonObject,
  )
  if (check(JSON.parse(request.body))) return []
  return (check.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`)
}

function relativeTo(base: string, value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? {}, (key, one) => (key === '$ref' && typeof one === 'string' ? base + one : one)),
  )
}

/** The validator minds one that has no type beside it, which version 3.0 allows. */
function withoutNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullable)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = value as JsonObject
  const kept = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withoutNullable(one)]))
  if (nullable === true && typeof kept.type === 'string')
    return {
      ...kept,
      type: [kept.type, 'null'],
      ...(Array.isArray(kept.enum) ? { enum: [...kept.enum, null] } : {}),
    }
  return typeof nullable === 'object' ? { ...kept, nullable: withoutNullable(nullable) } : kept
}
