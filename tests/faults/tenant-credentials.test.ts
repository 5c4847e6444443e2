/** One organization names the repository of another, on a node that holds a token for it. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestRepository, type GitServer, startGitServer, type TestRepository } from '../kit/git.ts'
import { smallSite } from '../kit/site.ts'
import { openTwoOrganizations } from '../kit/two-organizations.ts'

const TOKEN = 'tok-of-acme-1234567890'
let scratch: string
let repository: TestRepository
let server: GitServer

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'octavo-tokens-'))
  repository = await createTestRepository(smallSite(), scratch)
  server = await startGitServer({ folder: scratch, token: TOKEN })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})

const env = (tokens: string) => ({
  OCTAVO_GIT_ALLOW_HTTP: 'true',
  OCTAVO_PRIVATE_HOSTS: '127.0.0.1:*',
  OCTAVO_GIT_TOKENS: tokens,
})
const source = () => ({ kind: 'git', repository: `${server.url}/${basename(repository.folder)}` })
const host = () => new URL(server.url).host

test('a token of the operator for a host alone is of nobody once there are two organizations', async () => {
  await using scene = await openTwoOrganizations(env(`${host()}=${TOKEN}`))
  for (const party of [scene.acme, scene.other]) {
    const { status, error } = await party.publish((await party.makeProject(source())).id)
    assert.equal(status, 'failed')
    assert.match(error ?? '', /credentials/)
    assert.ok(!error?.includes(TOKEN))
  }
})

test('what one organization has fetched is in no mirror of another', async () => {
  await using scene = await openTwoOrganizations(env(`${host()}=${TOKEN}`))
  const { database, folder } = scene.octavo.node.context
  await database.queries
    .updateTable('projects')
    .set({ repository: source().repository.replace('://', `://me:${TOKEN}@`) })
    .where('id', '=', (await scene.acme.makeProject(source())).id)
    .execute()
  const [mine] = (await scene.acme.admin.json<{ projects: { id: string }[] }>('/internal/projects')).projects
  assert.equal((await scene.acme.publish(mine?.id ?? '')).status, 'published')
  const theirs = await scene.other.makeProject({
    ...source(),
    ref: await repository.git('rev-parse', 'HEAD'),
  })
  assert.equal((await scene.other.publish(theirs.id)).status, 'failed')
  const mirrors = await readdir(folder.mirrors)
  assert.ok(mirrors.includes(mine?.id ?? ''), mirrors.join(', '))
})
