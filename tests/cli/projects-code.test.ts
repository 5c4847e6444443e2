/** `octavo projects code` as a process. Local folders are allowed only here. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { runOctavo } from '../kit/octavo-command.ts'

let database: TestDatabase
let folder: string

before(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'octavo-code-'))
  await mkdir(join(folder, 'data'))
  await addProject(database, await addOrganization(database), 'docs.example.com')
})
after(async () => {
  await rm(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

const octavo = (...args: string[]) =>
  runOctavo(['projects', 'code', ...args], {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      OCTAVO_DATA: join(folder, 'data'),
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_LOG: 'silent',
    },
  })

test('projects code adds, lists and removes a repository, and reports invalid input', async () => {
  const none = await octavo('list', 'docs.example.com')
  assert.match(none.stdout, /has no code repositories yet.*projects code add/s)
  const added = await octavo('add', 'docs.example.com', '--name', 'api', '--source', '.', '--folder', 'src')
  assert.equal(added.code, 0, added.stderr)
  const { rows } = await database.pool.query('SELECT repository, folder_granted FROM code_repositories')
  assert.equal(rows.length, 1)
  assert.ok(rows[0].repository.startsWith('/') && rows[0].folder_granted)
  const listed = await octavo('list', 'docs.example.com')
  assert.match(listed.stdout, /api +\/\S+ +default +src/)
  const again = await octavo('add', 'docs.example.com', '--name', 'API', '--source', 'https://github.com/a/b')
  assert.notEqual(again.code, 0)
  assert.match(again.stderr, /already/)
  const odd = await octavo('add', 'docs.example.com', '--name', 'a b', '--source', '.')
  assert.match(odd.stderr, /--name can have up to 40 letters/)
  const unknown = await octavo('remove', 'docs.example.com', 'web')
  assert.match(unknown.stderr, /no code repository web\. Available: api/)
  const removed = await octavo('remove', 'docs.example.com', 'api')
  assert.equal(removed.code, 0, removed.stderr)
  const audit = await database.pool.query(
    "SELECT action FROM audit_rows WHERE action LIKE 'code_repository.%' ORDER BY action",
  )
  assert.deepEqual(
    audit.rows.map(({ action }) => action),
    ['code_repository.added', 'code_repository.removed'],
  )
})
