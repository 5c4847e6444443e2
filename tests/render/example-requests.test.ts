/**
 * Checks that the example request of each operation, built by the functions of the form and sent to a server, matches
 * its description. OCTAVO_TRY_FILES names further descriptions to check, separated by `:`.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { sendExamples } from '../kit/example-requests.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { TRY_DESCRIPTIONS } from '../kit/try-descriptions.ts'

let server: RecordingServer
before(async () => {
  server = await startRecordingServer()
})
after(() => server[Symbol.asyncDispose]())

async function read(file: string): Promise<JsonObject> {
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject
}

test('example requests for every construct match their description, cookies included', async () => {
  for (const description of TRY_DESCRIPTIONS) {
    const { operations, faults } = await sendExamples(description, server)
    assert.deepEqual(faults, [])
    assert.equal(operations, Object.keys(description.paths as JsonObject).length)
  }
})

for (const name of ['github', 'gitlab']) {
  test(`example requests for ${name}.json from a forge match their description`, async () => {
    const description = await read(join(import.meta.dirname, '../fixtures/forges', `${name}.json`))
    const { operations, faults } = await sendExamples(description, server)
    const described = Object.values(description.paths as JsonObject).flatMap((path) =>
      Object.keys(path as JsonObject),
    )
    assert.equal(operations, described.length)
    assert.deepEqual(faults, [])
  })
}

for (const file of (process.env.OCTAVO_TRY_FILES ?? '').split(':').filter(Boolean)) {
  test(`example requests for ${file} match their description`, async () => {
    assert.deepEqual((await sendExamples(await read(file), server)).faults, [])
  })
}
