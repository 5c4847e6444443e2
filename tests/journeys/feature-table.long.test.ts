/**
 * Checks every cell of the feature table: the choices the API accepts, the built files, and the behavior of a page.
 * Covers hosted, client-hosted and air-gapped sites, with all configurable features on and off.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import {
  configurableFeatures,
  type Deployment,
  FEATURE_MATRIX,
  FEATURES,
  type Feature,
  isBundled,
} from '../../src/base/api/features.ts'
import {
  DOMAIN,
  type FeedbackScene,
  openFeedbackScene,
  openPage,
  serveFolder,
} from '../browser/feedback-scene.ts'
import { browserTest } from '../kit/browser.ts'
import { type ModelServer, replies, startModelServer } from '../kit/model-server.ts'

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    theme: 'mint',
    colors: { primary: '#5B5BD6' },
    api: { openapi: 'api.json' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'GET /orders'] }] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nAll about tea.\n',
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'Orders' } } } } },
  }),
}

/** An exported site; `at` returns the URL of one of its files. */
interface Built {
  names: string[]
  text(name: string): Promise<string>
  at(path: string): string
}

let scene: FeedbackScene
let model: ModelServer
const serving = new AsyncDisposableStack()
const built = new Map<string, Built>()

before(async () => {
  model = serving.use(await startModelServer(() => replies({ text: '{"covered": false}' })))
  scene = serving.use(
    await openFeedbackScene(FILES, {
      OCTAVO_LIMIT_EXPORTS: '100000/60',
      OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
      OCTAVO_MODEL_URL: model.url,
    }),
  )
  for (const deployment of ['client-hosted', 'air-gapped'] as const)
    for (const wanted of [true, false])
      built.set(`${deployment} ${wanted}`, await exported(deployment, wanted))
  await scene.publish()
})
after(() => serving.disposeAsync())

async function exported(deployment: 'client-hosted' | 'air-gapped', wanted: boolean): Promise<Built> {
  const features = Object.fromEntries(configurableFeatures(deployment).map((feature) => [feature, wanted]))
  const { jobId } = await scene.node.client.startExport({ domain: DOMAIN, deployment, features })
  const job = await scene.node.finished(jobId)
  assert.equal(job.status, 'completed', job.error ?? '')
  const { bundleUrl } = await scene.node.client.generateBundle(jobId)
  const folder = await mkdtemp(join(scene.node.dataFolder, 'bundle-'))
  await writeFile(join(folder, 'b.tar.gz'), Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()))
  await promisify(execFile)('tar', ['xzf', 'b.tar.gz'], { cwd: folder })
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  const server = deployment === 'air-gapped' ? null : serving.use(await serveFolder(folder))
  return {
    names,
    text: (name) => readFile(join(folder, name), 'utf8'),
    at: (path) => (server === null ? pathToFileURL(join(folder, path)).href : `${server.url}/${path}`),
  }
}

function isOn(feature: Feature, deployment: Deployment, wanted: boolean): boolean {
  const availability = FEATURE_MATRIX[feature][deployment]
  return availability === 'configurable' ? wanted : availability === 'yes'
}

/** Detects each feature in the files of a bundle. */
const SIGNS: Record<Feature, (site: Built) => Promise<boolean>> = {
  search: async ({ names }) => names.some((name) => /^_octavo\/search/.test(name)),
  assistant: async ({ names, text }) =>
    names.includes('_octavo/platform.js') && /"assistant":"http/.test(await text('_octavo/platform.js')),
  analytics: async ({ names, text }) =>
    names.includes('_octavo/platform.js') && /"analytics":"http/.test(await text('_octavo/platform.js')),
  playground: async ({ names }) => names.some((name) => /^_octavo\/playground/.test(name)),
  export: async ({ names }) => names.includes('manifest.json'),
}

function isChosen(feature: Feature, deployment: Deployment, wanted: boolean): boolean {
  return FEATURE_MATRIX[feature][deployment] === 'configurable' || (!wanted && isBundled(feature, deployment))
}

for (const deployment of ['client-hosted', 'air-gapped'] as const)
  test(`${deployment}: the API accepts exactly the feature choices that the feature table allows`, async () => {
    for (const feature of FEATURES)
      for (const wanted of [true, false]) {
        const answer = await fetch(`${scene.node.url}/v1/static-export/jobs`, {
          method: 'POST',
          headers: { authorization: `Bearer ${scene.node.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ domain: DOMAIN, deployment, features: { [feature]: wanted } }),
        })
        const { details } = (await answer.json()) as { details?: { field: string }[] }
        const cell = `${feature}: ${wanted}`
        // Every feature that can be bundled can also be left out.
        if (isChosen(feature, deployment, wanted)) {
          assert.equal(answer.status, 202, cell)
        } else {
          assert.equal(answer.status, 400, cell)
          assert.deepEqual(
            details?.map(({ field }) => field),
            [`/features/${feature}`],
            cell,
          )
        }
      }
  })

for (const deployment of ['client-hosted', 'air-gapped'] as const)
  for (const wanted of [true, false])
    test(`${deployment}, choices ${wanted ? 'on' : 'off'}: the files contain exactly the features of the table`, async () => {
      const site = built.get(`${deployment} ${wanted}`) ?? assert.fail()
      for (const feature of FEATURES)
        assert.equal(await SIGNS[feature](site), isOn(feature, deployment, wanted), feature)
    })

/** Detects each feature on a page in the browser. */
const MET: Record<Feature, (page: Page, at: (path: string) => string) => Promise<boolean>> = {
  async search(page, at) {
    await page.goto(at('index.html'))
    await page.keyboard.press('ControlOrMeta+k')
    if ((await page.locator('#search-bar-entry').count()) === 0)
      return (await page.getByRole('combobox').count()) > 0
    await page.getByRole('combobox').fill('tea')
    await page.getByRole('option').first().waitFor()
    return true
  },
  async assistant(page, at) {
    await page.goto(at('index.html'))
    await page.waitForLoadState()
    if ((await page.locator('.ask-button').count()) === 0) return false
    await page.getByRole('button', { name: 'Ask the assistant' }).click()
    const panel = page.getByRole('dialog', { name: 'Assistant' })
    await panel.getByRole('textbox').fill('Is there tea?')
    await page.keyboard.press('Enter')
    await panel.getByText('The docs do not answer this.').first().waitFor()
    return true
  },
  async analytics(page, at) {
    const told = page
      .waitForRequest((request) => request.url().endsWith('/events'), { timeout: 5000 })
      .then(
        () => true,
        () => false,
      )
    await page.goto(at('index.html'))
    return told
  },
  async playground(page, at) {
    await page.goto(at('api-reference/list-orders.html'))
    if ((await page.locator('.try-button').count()) === 0) return false
    await page.locator('.try-button').click()
    await page.locator('.try-send').waitFor()
    return true
  },
  export: async () => true,
}

for (const deployment of ['cloud', 'client-hosted', 'air-gapped'] as const)
  for (const wanted of deployment === 'cloud' ? [true] : [true, false])
    browserTest(
      `${deployment}, choices ${wanted ? 'on' : 'off'}: a reader gets exactly the features of the table`,
      async (browser) => {
        const at = (path: string) =>
          built.get(`${deployment} ${wanted}`)?.at(path) ??
          `${scene.hosted}/${path.replace(/(^index)?\.html$/, '')}`
        for (const feature of FEATURES)
          await openPage(browser, 'about:blank', {}, async (page, errors) => {
            assert.equal(await MET[feature](page, at), isOn(feature, deployment, wanted), feature)
            assert.deepEqual(errors, [], feature)
          })
      },
    )
