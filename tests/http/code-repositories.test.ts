import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import {
  type CodeRepository,
  MAX_CODE_REPOSITORIES,
} from '../../src/features/projects/operations/code-repositories.ts'
import { addPerson, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, jsonRequest, startApi, type Tenant, withKey } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({})
})
after(() => api[Symbol.asyncDispose]())

const all = ({ projectId }: Pick<Tenant, 'projectId'>) => `/v2/agent/${projectId}/code-repositories`
const API = { name: 'api', repository: 'https://93.184.216.34/acme/api.git' }

async function ask(method: string, path: string, body?: unknown, key = api.acme.key) {
  const request = body === undefined ? withKey(key, { method }) : jsonRequest(method, key, body)
  const response = await api.fetch(path, request)
  return { status: response.status, body: (await response.json()) as never }
}

async function list(): Promise<CodeRepository[]> {
  const { body } = await ask('GET', all(api.acme))
  return (body as { repositories: CodeRepository[] }).repositories
}

test('a repository is added, changed and removed, each with its row in the audit log', async () => {
  const added = await ask('POST', all(api.acme), { ...API, ref: 'main', folder: './src/' })
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const { repositoryId, ...shown } = added.body as CodeRepository
  assert.deepEqual([shown.name, shown.ref, shown.folder], ['api', 'main', 'src'])
  const one = `${all(api.acme)}/${repositoryId}`
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['api'],
  )
  assert.equal((await ask('PATCH', one, { ref: null, name: 'server' })).status, 200)
  const [changed] = await list()
  assert.deepEqual([changed?.name, changed?.ref, changed?.folder], ['server', null, 'src'])
  assert.equal((await ask('DELETE', one)).status, 200)
  assert.deepEqual(await list(), [])
  assert.equal((await ask('DELETE', one)).status, 404)
  const actions = await api.database.queries
    .selectFrom('audit_rows')
    .select('action')
    .where('subject', '=', repositoryId)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['code_repository.added', 'code_repository.updated', 'code_repository.removed'],
  )
})

test('repository names are unique regardless of case, and a project is limited to ten repositories', async () => {
  for (let n = 1; n <= MAX_CODE_REPOSITORIES; n++)
    assert.equal((await ask('POST', all(api.acme), { ...API, name: `r${n}` })).status, 201)
  const more = await ask('POST', all(api.acme), API)
  assert.deepEqual([more.status, codeOf(more)], [409, 'too_many_code_repositories'])
  const [first, second] = await list()
  assert.ok(first && second)
  const taken = await ask('PATCH', `${all(api.acme)}/${second.repositoryId}`, {
    name: first.name.toUpperCase(),
  })
  assert.deepEqual([taken.status, codeOf(taken)], [409, 'code_repository_name_taken'])
  for (const { repositoryId } of await list()) await ask('DELETE', `${all(api.acme)}/${repositoryId}`)
})

test('rejects server folders, credentials in addresses, paths outside the root and invalid names with the reason', async () => {
  const wrong: [object, RegExp][] = [
    [{ repository: '/etc' }, /set on its command line/],
    [{ repository: 'file:///etc' }, /folder of the server/],
    [{ repository: 'ext::sh -c id' }, /contains a space/],
    [{ repository: 'https://x:secret@93.184.216.34/a.git' }, /contains a password/],
    [{ folder: '../..' }, /below the root/],
    [{ ref: '--upload-pack=x' }, /not the name of a branch/],
    [{ name: '-x' }, /name/],
    [{ name: 'a b' }, /name/],
  ]
  for (const [part, reason] of wrong) {
    const { status, body } = await ask('POST', all(api.acme), { ...API, ...part })
    assert.equal(status, 400, JSON.stringify(part))
    const said = JSON.stringify(body)
    assert.match(said, reason)
    assert.ok(!said.includes('secret'), said)
  }
  assert.deepEqual(await list(), [])
})

test('adding a code repository requires the permission to change projects', async () => {
  const { organizationId } = api.acme
  for (const [role, status] of [
    ['editor', 403],
    ['admin', 201],
  ] as const) {
    const email = `${createId('usr')}@example.com`
    await addPerson(api.database, { email, organizationId, role })
    const browser = await signedIn(api.url, { email, organizationId })
    const response = await browser.ask(all(api.acme), { method: 'POST', body: { ...API, name: role } })
    assert.equal(response.status, status, role)
    assert.equal((await browser.ask(all(api.acme))).status, 200)
  }
})

function codeOf({ body }: { body: unknown }): string {
  return (body as { code: string }).code
}
