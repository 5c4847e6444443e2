/** What public sites of the format do and rely on, beside what the components' own tests show: one site, built once. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const SPEC = {
  openapi: '3.1.0',
  paths: {
    '/search': {
      post: {
        tags: ['full_text'],
        summary: 'search_made',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { highlightPreTag: { type: 'string' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'Found',
            content: {
              'application/json': { schema: { type: 'object', properties: { uid: { type: 'string' } } } },
            },
          },
          404: {
            description: 'Not found',
            content: {
              'application/json': { schema: { type: 'object', properties: { code: { type: 'string' } } } },
            },
          },
        },
      },
    },
  },
}
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="#5B5BD6"/></svg>'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    logo: { light: './images/light.svg', dark: 'images/dark.svg' },
    favicon: 'images/light.svg',
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'deep/down/fields', 'deep/down/gone'] },
        { group: 'API', openapi: 'specs/own.json' },
      ],
    },
  }),
  'images/light.svg': SQUARE,
  'images/dark.svg': SQUARE,
  'specs/own.json': JSON.stringify(SPEC),
  'index.mdx': '---\ntitle: Home\n---\n\n[Old](/api-reference/full-text/search-made)\n',
  'deep/down/fields.mdx':
    '---\ntitle: Fields\nopenapi: ../../specs/own.json post /search\n---\n\n<ParamField path="baseUrl" type="string">Where</ParamField>\n',
  'deep/down/gone.mdx': '---\nopenapi: ../own.json post /nothing\n---\n',
}

let site: BuiltSite
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-habits-'))
  await writeSite(folder, FILES)
  site = await buildSite(folder, 'client-hosted')
})

after(async () => {
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => readFile(join(site.out, path), 'utf8')

test('an operation page that cannot be filled says what is missing', async () => {
  const html = await read('deep/down/gone.html')
  assert.match(html, /not in the API descriptions of this site: <code>\.\.\/own\.json post \/nothing<\/code>/)
})

test('an address that an operation has elsewhere leads to its page', async () => {
  assert.match(
    await read('api-reference/full-text/search-made.html'),
    /url=(?:\.\.\/)+api-reference\/full_text\/search_made\.html/,
  )
  assert.match(await read('index.html'), /href="api-reference\/full_text\/search_made\.html"/)
})

browserTest('images of the settings are found from every page', async (browser) => {
  await site.visit(browser, 'deep/down/fields', {}, async (page) => {
    const logo = page.locator('.nav-logo img').first()
    assert.equal(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth), 24)
    const icon = await page.locator('link[rel=icon]').last().getAttribute('href')
    assert.match(icon ?? '', /^\.\.\/\.\.\//)
  })
})

browserTest('links to fields arrive by the ids of the format and by those from before', async (browser) => {
  const places = [
    'body-highlight-pre-tag',
    'param-base-url',
    'param-baseurl',
    'response-uid',
    'response-200-uid',
  ]
  for (const javaScriptEnabled of [true, false]) {
    await site.visit(browser, 'deep/down/fields', { javaScriptEnabled }, async (page) => {
      for (const id of places) {
        await page.goto(`${site.at('deep/down/fields')}#${id}`)
        const target = page.locator(':target')
        const field = page.locator('.field').filter({ has: target }).or(page.locator('.field:target'))
        assert.equal(await field.first().isVisible(), true, id)
      }
    })
  }
  await site.visit(browser, 'deep/down/fields', {}, async (page) => {
    await page.goto(`${site.at('deep/down/fields')}#response-code`)
    assert.equal(await page.locator('#response-404-code').isVisible(), true)
  })
})
