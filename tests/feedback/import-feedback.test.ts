/** Imports the feedback file of a bundle that runs offline: exactly once, or not at all. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectOperator } from '../../src/cli/api-client.ts'
import { createPrinter } from '../../src/cli/command.ts'
import { feedbackImport } from '../../src/cli/commands/feedback.ts'
import { ApiError } from '../../src/client/call.ts'
import type { FeedbackFile } from '../../src/features/feedback/operations/feedback-file.ts'
import { type ApiUnderTest, SECRET, startApi } from '../http/api-under-test.ts'

let api: ApiUnderTest
let folder: string
let siteId: string
let projectId: string
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'octavo-import-'))
  projectId = api.acme.projectId
  const { site_id } = await api.database.queries
    .selectFrom('projects')
    .select('site_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  siteId = site_id
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const idOf = (n: number) => `client-made-id-${String(n).padStart(4, '0')}`
const said = '2026-03-01T08:00:00.000Z'

const ENTRIES = [
  { id: idOf(1), path: '/guides/deploy.html', helpful: true, createdAt: said },
  { id: idOf(2), path: '/guides/deploy', helpful: false, comment: 'It fails.', contact: 'a@example.com' },
  {
    id: idOf(3),
    path: '/',
    code: '\tlet a = 1\n',
    lang: 'js',
    filename: 'a.js',
    createdAt: '2999-01-01T00:00:00.000Z',
  },
  { id: idOf(4), path: '/', feedback: 'The default is missing.', pageVersion: 'a1b2', createdAt: said },
]

async function importDocument(document: unknown) {
  const { call } = connectOperator({ url: api.url, key: SECRET, publicUrl: null, hasAddress: true })
  return call('importFeedback', { body: document as FeedbackFile }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw new Error([error.code, ...error.details.map(({ message }) => message)].join('\n'))
  })
}

/** Runs the command on a file that it rejects before it connects to a server. */
async function readByCommand(text: string | null): Promise<void> {
  const file = join(folder, text === null ? 'none.json' : 'feedback.json')
  if (text !== null) await writeFile(file, text)
  await feedbackImport.run({
    ...{ positionals: [file], flag: () => undefined, has: () => false, print: createPrinter(true) },
  })
}

const fileOf = (entries: unknown[]) => ({ format: 'octavo-feedback', version: 1, siteId, entries })

const rowsOf = () =>
  api.database.queries
    .selectFrom('feedback')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('path')
    .execute()

test('imports each entry with its source and creation time', async () => {
  const before = Date.now()
  const done = await importDocument(fileOf(ENTRIES))
  assert.deepEqual(done, { projectId, entries: 4, added: 4, changed: 0, known: 0, conflicting: [] })
  const rows = await rowsOf()
  assert.deepEqual(rows.map(({ source, path, status }) => [source, path, status]).toSorted(), [
    ['agent', '/', 'pending'],
    ['code_snippet', '/', 'pending'],
    ['contextual', '/guides/deploy', 'pending'],
    ['thumbs_only', '/guides/deploy', 'pending'],
  ])
  const at = (source: string) => rows.find((row) => row.source === source)?.created_at
  assert.equal(at('thumbs_only')?.toISOString(), said)
  assert.equal(at('contextual'), null, 'nobody knows when it was said')
  const future = at('code_snippet')?.getTime() ?? 0
  assert.ok(future >= before - 1000 && future <= Date.now(), 'a time to come is taken for now')
  assert.equal(rows.find((row) => row.source === 'code_snippet')?.code, '\tlet a = 1\n')
})

test('importing a file again adds nothing, and a longer file adds only what is new', async () => {
  const again = await importDocument(fileOf(ENTRIES))
  assert.deepEqual([again.added, again.changed, again.known], [0, 0, 4])
  const more = [
    ...ENTRIES,
    { id: idOf(1), path: '/guides/deploy', helpful: true, comment: 'Later I had a word to say.' },
    { id: idOf(5), path: '/', helpful: true },
    { id: idOf(2), path: '/elsewhere', helpful: true },
  ]
  const done = await importDocument(fileOf(more))
  assert.deepEqual([done.added, done.changed, done.known, done.conflicting], [1, 1, 4, [idOf(2)]])
  const rows = await rowsOf()
  assert.equal(rows.length, 5)
  const upgraded = rows.find((row) => row.comment === 'Later I had a word to say.')
  assert.deepEqual([upgraded?.source, upgraded?.created_at?.toISOString()], ['contextual', said])
})

test('rejects a file with all of its faults, and imports nothing from it', async () => {
  const count = (await rowsOf()).length
  const entries = [
    { id: idOf(10), path: '/', helpful: true },
    { id: 'short', path: 'no-slash', helpful: 'yes', website: 'x' },
    { path: '/', comment: 'No vote' },
    { id: idOf(11), path: '/', helpful: true, createdAt: 'yesterday' },
  ]
  await assert.rejects(importDocument({ ...fileOf(entries), version: 2 }), ({ message }: Error) => {
    for (const fault of [
      /`\/version` must be `?1/,
      /`\/entries\/1\/id` must be text of 16 to 64 characters/,
      /`\/entries\/1\/helpful` must be true or false/,
      /`\/entries\/1\/website` is not a known field/,
      /`\/entries\/1`: `\/path` must be the path of a page/,
      /`\/entries\/2\/id` is required/,
      /`\/entries\/2`: `\/helpful` is required/,
      /`\/entries\/3\/createdAt` must be a date and time/,
    ])
      assert.match(message, fault)
    return true
  })
  const nul = { id: idOf(12), path: '/', helpful: true, comment: 'a\u0000b' }
  await assert.rejects(importDocument(fileOf([...ENTRIES.slice(3), nul])), /U\+0000/)
  assert.equal((await rowsOf()).length, count)
})

test('rejects invalid feedback files, unknown sites and too many entries', async () => {
  await assert.rejects(readByCommand('{"a": '), /is not a JSON document/)
  await assert.rejects(readByCommand('{"entries": []}'), /not a feedback file/)
  await assert.rejects(readByCommand('null'), /not a feedback file/)
  await assert.rejects(readByCommand(null), /cannot be read \(ENOENT\)/)
  await assert.rejects(importDocument({ ...fileOf([]), siteId: 'site_00' }), /not_found/)
  const many = Array.from({ length: 10_001 }, (_, n) => ({ id: idOf(n), path: '/', helpful: true }))
  await assert.rejects(importDocument(fileOf(many)), /`\/entries` must be a list/)
})
