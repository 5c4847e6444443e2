/** Examples of operations as they arrive from a page over http, and by way of the platform. */
import assert from 'node:assert/strict'
import { browserTest } from '../kit/browser.ts'
import { startRecordingServer } from '../kit/recording-server.ts'
import { TRY_DESCRIPTIONS } from '../kit/try-descriptions.ts'
import { siteOf, tryAll } from '../kit/try-operations.ts'
import { sampleOf } from '../kit/whole-run.ts'
import { openFeedbackScene, serveFolder } from './feedback-scene.ts'

for (const description of sampleOf(TRY_DESCRIPTIONS, 3)) {
  const { title } = description.info as { title: string }
  browserTest(`the examples of ${title} arrive as described from a page over http`, async (browser) => {
    await using server = await startRecordingServer()
    await using tried = await siteOf(description, server)
    await using served = await serveFolder(tried.site.out)
    const faults = await tryAll(browser, description, server, tried, (name) => `${served.url}/${name}.html`)
    assert.deepEqual(faults, [])
  })

  browserTest(`those of ${title} arrive by way of the platform`, async (browser) => {
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
        'api.json': JSON.stringify({ ...description, servers: [{ url: server.url }] }),
      },
      { OCTAVO_PRIVATE_HOSTS: new URL(server.url).host },
    )
    await scene.publish()
    const faults = await tryAll(browser, description, server, tried, (name) => `${scene.hosted}/${name}`)
    assert.deepEqual(faults, [])
    assert.ok(server.requests.some(({ headers }) => headers.origin === undefined))
  })
}
