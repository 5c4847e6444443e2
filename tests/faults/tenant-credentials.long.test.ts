/** An organization names the repository of another one, for which the node has a token. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { appliesToOrganization, readScopedTokens } from '../../src/app/config/git-scopes.ts'
import type { Role } from '../../src/base/api/roles.ts'
import { createTestRepository, type GitServer, startGitServer, type TestRepository } from '../kit/git.ts'
import type { TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { smallSite } from '../kit/site.ts'
import { openTwoOrganizations, type Party, refusal } from '../kit/two-organizations.ts'

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
  OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
  OCTAVO_GIT_TOKENS: tokens,
})
const source = () => ({ kind: 'git', repository: `${server.url}/${basename(repository.folder)}` })
const host = () => new URL(server.url).host

test('an operator token for a bare host applies to no organization when there are two', async () => {
  await using scene = await openTwoOrganizations(env(`${host()}=${TOKEN}`))
  for (const party of [scene.acme, scene.other]) {
    const { status, error } = await party.publish((await party.makeProject(source())).id)
    assert.equal(status, 'failed')
    assert.match(error ?? '', /credentials/)
    assert.ok(!error?.includes(TOKEN))
  }
})

test('a mirror fetched for one organization is not available to another', async () => {
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

test('a git token of an organization applies only to its own projects', async () => {
  await using scene = await openTwoOrganizations(env(''))
  const { acme, other, octavo } = scene
  const set = (party: Party, body: object) => party.admin.post('/internal/git-credentials', body)
  const made = await set(acme, { prefix: `https://${host()}/`, token: TOKEN })
  assert.deepEqual(
    [made.prefix, made.lastFour, made.lastUsedAt, 'token' in made],
    [host(), TOKEN.slice(-4), null, false],
  )
  const mine = await acme.makeProject(source())
  const theirs = await other.makeProject(source())
  assert.equal((await acme.publish(mine.id)).status, 'published')
  assert.equal((await other.publish(theirs.id)).status, 'failed')

  const list = (party: Party) =>
    party.admin.json<{ credentials: { id: string; lastUsedAt: string | null }[] }>(
      '/internal/git-credentials',
    )
  assert.deepEqual((await list(other)).credentials, [])
  assert.ok((await list(acme)).credentials[0]?.lastUsedAt)
  const path = `/internal/git-credentials/${made.id}`
  for (const [method, body] of [
    ['PATCH', { token: 'tok-of-the-attacker' }],
    ['DELETE', {}],
  ] as const)
    assert.equal((await other.admin.ask(path, { method, body })).status, 404)
  const viewer = await member(octavo, acme.organizationId, 'editor')
  assert.equal((await viewer.ask('/internal/git-credentials')).status, 403)

  const rows = await octavo.node.context.database.queries.selectFrom('git_credentials').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(TOKEN) && !rows.some(({ sealed }) => sealed.includes(TOKEN)))
  // A token moved to another organization by someone with database access cannot be decrypted.
  await octavo.node.context.database.queries
    .updateTable('git_credentials')
    .set({ organization_id: other.organizationId })
    .execute()
  assert.equal((await other.publish(theirs.id)).status, 'failed')
})

test('git credentials reject invalid hosts, tokens and duplicates, and a replaced token applies at once', async () => {
  await using scene = await openTwoOrganizations(env(''))
  const { acme, octavo } = scene
  const ask = (body: object) => refusal(acme.admin.ask('/internal/git-credentials', { method: 'POST', body }))
  for (const prefix of [
    '',
    'a b',
    '../x',
    'ssh://git@host',
    'host/../other',
    'host/%2e%2e',
    '-x',
    'h'.repeat(600),
  ])
    assert.equal((await ask({ prefix, token: TOKEN })).status, 400, prefix)
  for (const token of ['', 'short', 'with space in it', 'line\nbreak-line', 'x'.repeat(5000)])
    assert.equal((await ask({ prefix: host(), token })).status, 400)
  const made = await acme.admin.post('/internal/git-credentials', { prefix: host(), token: 'wrong-token' })
  assert.match((await ask({ prefix: host(), token: TOKEN })).text, /already a token/)
  const project = await acme.makeProject(source())
  assert.equal((await acme.publish(project.id)).status, 'failed')
  const path = `/internal/git-credentials/${made.id}`
  await acme.admin.json(path, { method: 'PATCH', body: { token: TOKEN } })
  assert.equal((await acme.publish(project.id)).status, 'published')
  await acme.admin.json(path, { method: 'DELETE', body: {} })
  assert.equal((await acme.publish(project.id)).status, 'failed')
  const { queries } = octavo.node.context.database
  const rows = await queries
    .selectFrom('audit_rows')
    .selectAll()
    .where('subject', '=', String(made.id))
    .execute()
  const actions = rows.map(({ action }) => action).sort()
  assert.deepEqual(actions, ['git_credential.created', 'git_credential.deleted', 'git_credential.replaced'])
  assert.ok(!JSON.stringify(rows).includes(TOKEN))
})

test('an operator token applies only to the organizations it names', async () => {
  const organizationId = 'org_1'
  const tokens = (who: string) => readScopedTokens(`${host()}${who}=${TOKEN}`)[0]
  const scoped = tokens(`@${organizationId}`)
  assert.ok(scoped && appliesToOrganization(scoped, { id: organizationId, isOnly: false }))
  assert.ok(!appliesToOrganization(scoped, { id: 'org_other', isOnly: true }))
  const all = tokens('@*')
  assert.ok(all && appliesToOrganization(all, { id: 'org_other', isOnly: false }))
  const bare = tokens('')
  assert.ok(bare && appliesToOrganization(bare, { id: 'org_other', isOnly: true }))
  assert.ok(!appliesToOrganization(bare, { id: 'org_other', isOnly: false }))
  for (const who of ['@', '@acme', '@org_a+', '@org_a@org_b']) assert.equal(tokens(who), null, who)
  await using everybody = await openTwoOrganizations(env(`${host()}@*=${TOKEN}`))
  const project = await everybody.other.makeProject(source())
  assert.equal((await everybody.other.publish(project.id)).status, 'published')
})

async function member(octavo: TestNode, organizationId: string, role: Role): Promise<Browser> {
  const email = `${role}@example.com`
  await addPerson(octavo.node.context.database, { email, organizationId, role })
  return signedIn(octavo.url, { email, organizationId })
}
