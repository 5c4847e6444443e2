/**
 * Example requests of operations, sent from a page over HTTP, from a page on disk and through the platform.
 * `OCTAVO_TRY_FILES` adds further descriptions, separated by `:`.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { browserTest } from '../kit/browser.ts'
import { startRecordingServer } from '../kit/recording-server.ts'
import { TRY_DESCRIPTIONS } from '../kit/try-descriptions.ts'
import { describedAt, siteOf, tryAll } from '../kit/try-operations.ts'
import { sampleOf } from '../kit/whole-run.ts'
import { openFeedbackScene, serveFolder } from './feedback-scene.ts'

interface Tried {
  name: string
  description: JsonObject
}

const OWN = TRY_DESCRIPTIONS.map(
  (description): Tried => ({ name: String((description.info as JsonObject).title), description }),
)
const OTHERS = (process.env.OCTAVO_TRY_FILES ?? '')
  .split(':')
  .filter(Boolean)
  .map((name): Tried => {
    const description = JSON.parse(readFileSync(name, 'utf8')) as JsonObject
    return { name: String((description.info as JsonObject).title), description }
  })

for (const { name, description } of [...sampleOf(OWN, 3), ...OTHERS]) {
  browserTest(
    `example requests of ${name} match the description from a page over http`,
    async (browser, t) => {
      await using server = await startRecordingServer()
      await using tried = await siteOf(description, server)
      await using served = await serveFolder(tried.site.out)
      const faults = await tryAll(browser, description, server, tried, (page) => `${served.url}/${page}.html`)
      t.diagnostic(`${tried.forms.size} operations`)
      assert.deepEqual(faults, [])
    },
  )

  browserTest(
    `example requests of ${name} match the description through the platform`,
    async (browser, t) => {
      await using server = await startRecordingServer({ allowsPages: false })
      await using tried = await siteOf(description, server)
      await using scene = await openFeedbackScene(
        {
          'docs.json': JSON.stringify({
            theme: 'mint',
            name: 'Try',
            colors: { primary: '#3344ff' },
            navigation: { groups: [{ group: 'API', openapi: 'api.json' }] },
          }),
          'api.json': JSON.stringify(describedAt(description, server)),
        },
        { OCTAVO_PLAYGROUND_PRIVATE_HOSTS: new URL(server.url).host, OCTAVO_LIMIT_CALLS: '10000/60' },
      )
      await scene.publish()
      const faults = await tryAll(browser, description, server, tried, (page) => `${scene.hosted}/${page}`)
      t.diagnostic(`${tried.forms.size} operations`)
      assert.deepEqual(faults, [])
      assert.ok(server.requests.some(({ headers }) => headers.origin === undefined))
    },
  )
}

for (const { name, description } of [...OWN, ...OTHERS]) {
  browserTest(`example requests of ${name} match the description from a page on disk`, async (browser, t) => {
    await using server = await startRecordingServer()
    await using tried = await siteOf(description, server)
    const faults = await tryAll(browser, description, server, tried, tried.site.at)
    t.diagnostic(`${tried.forms.size} operations`)
    assert.deepEqual(faults, [])
  })
}
