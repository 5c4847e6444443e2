/**
 * The example of every operation, made by the functions of the form and sent to a server, is what its description says.
 * Descriptions of others are read too where `OCTAVO_TRY_FILES` names them, with `:` between.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { sendExamples } from '../kit/example-requests.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { TRY_DESCRIPTIONS } from '../kit/try-descriptions.ts'
import { sampleOf } from '../kit/whole-run.ts'

let server: RecordingServer
before(async () => {
  server = await startRecordingServer()
})
after(() => server[Symbol.asyncDispose]())

async function read(file: string): Promise<JsonObject> {
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject
}

test('examples of every construct arrive as they are described, cookies too', async () => {
  for (const description of TRY_DESCRIPTIONS) {
    const { operations, faults } = await sendExamples(description, server)
    assert.deepEqual(faults, [])
    assert.equal(operations, Object.keys(description.paths as JsonObject).length)
  }
})

/** Their own examples are not what their schemas say. */
const CONTRADICTED = [
  'POST /orgs/{org}/issue-fields',
  'POST /user/keys',
  'POST /user/ssh_signing_keys',
  'PUT /user/codespaces/secrets/{secret_name}/repositories',
]

test('so do those of a large API of others', async () => {
  const description = await read(
    createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json'),
  )
  const { operations, faults } = await sendExamples(description, server, (forms) => sampleOf(forms, 8))
  assert.ok(operations > 150, String(operations))
  assert.deepEqual(
    faults.filter((fault) => !CONTRADICTED.some((operation) => fault.startsWith(`${operation}:`))),
    [],
  )
})

for (const file of (process.env.OCTAVO_TRY_FILES ?? '').split(':').filter(Boolean)) {
  test(`so do those of ${file}`, async () => {
    assert.deepEqual((await sendExamples(await read(file), server)).faults, [])
  })
}
