/** The generated parts of the documentation are up to date. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { referencePages } from '../../scripts/reference/pages.ts'
import { madeSources } from '../../scripts/reference/sources.ts'
import { BUILT_FEATURES, FEATURE_MATRIX, FEATURES } from '../../src/base/api/features.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { READER_OPERATIONS } from '../../src/features/reader/operations/reader.ts'
import { startApi } from '../http/api-under-test.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const read = (path: string) => readFile(join(docs, path), 'utf8')

for (const [path, text] of await referencePages())
  test(`docs/${path} is up to date with the program`, async () => {
    assert.ok((await read(path)) === text, 'run: npm run reference')
  })

test('generated sources are up to date', async () => {
  for (const [file, text] of await madeSources())
    assert.ok((await readFile(file, 'utf8')) === text, 'run: npm run reference')
})

test('the OpenAPI document in the docs equals the one that the server serves', async () => {
  await using api = await startApi()
  const served = await (await api.fetch('/openapi.json')).json()
  const written = JSON.parse(await read('reference/openapi.json'))
  assert.deepEqual({ ...written, servers: served.servers }, served)
})

test('the OpenAPI document in the docs describes every operation of the public API', async () => {
  const { paths } = JSON.parse(await read('reference/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const described = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId)),
  )
  for (const id of [...Object.keys(OPERATIONS), ...Object.keys(READER_OPERATIONS)])
    assert.ok(described.has(id), id)
})

test('the feature table lists exactly the features that are built', async () => {
  const rows = await read('snippets/reference/features.mdx')
  for (const feature of FEATURES) {
    const isBuilt = (BUILT_FEATURES as readonly string[]).includes(feature)
    assert.equal(rows.includes(`\`${feature}\``), isBuilt, `${feature} of ${Object.keys(FEATURE_MATRIX)}`)
  }
})
