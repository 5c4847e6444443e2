/** Pull requests on every kind of forge, and features that only some of them support. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ForgeError } from '../../src/git/forges/forge.ts'
import { FORGE_KINDS } from '../../src/git/forges/forge-location.ts'
import { credentialsFor, type ForgeSettings, openForge } from '../../src/git/forges/open-forge.ts'
import { openProjectRepository } from '../../src/git/project-repository.ts'
import { forgeCases } from '../cases/forge.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { listedGuard, SOURCE_ROW } from '../kit/git.ts'

forgeCases({
  kind: 'github',
  permission: /Contents and Pull requests \(a classic token: the scope repo\)/,
})
forgeCases({ kind: 'gitlab', permission: /scopes api and write_repository, and at least the role Developer/ })
forgeCases({ kind: 'gitea', permission: /read and write access to repository/ })
forgeCases({ kind: 'bitbucket', permission: /write access to repositories and pull requests/ })

const BRANCHES = { branch: 'octavo/region-flag-1a2b3c', target: 'main' }
const never = () => new AbortController().signal

async function startWithApp(t: TestContext): Promise<{ server: ForgeServer; settings: ForgeSettings }> {
  const server = await startForgeServer('github', { files: { 'docs.json': '{}' } })
  t.after(() => server[Symbol.asyncDispose]())
  return { server, settings: { ...server.settings, tokens: {}, githubApp: server.app } }
}

test('a GitHub App replaces the token and obtains one installation token for the repository', async (t) => {
  const { server, settings } = await startWithApp(t)
  const forge = openForge(server.address, settings)
  assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
  assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
  const asked = server.apiRequests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  assert.deepEqual(asked, [
    'GET /api/v3/repos/acme/docs/installation',
    'POST /api/v3/app/installations/815/access_tokens',
    'GET /api/v3/repos/acme/docs/pulls',
    'GET /api/v3/repos/acme/docs/pulls',
  ])
  const credentials = await credentialsFor(server.address, settings, never())
  assert.match(credentials?.token ?? '', /^ghs_/)
})

test('errors name the GitHub App when it is not installed, lacks permissions or has the wrong key', async (t) => {
  const { server, settings } = await startWithApp(t)
  const forge = openForge(server.address, settings)
  const reasonOf = async (work: Promise<unknown>) => {
    const error = await work.catch((caught: unknown) => caught)
    assert.ok(error instanceof ForgeError, String(error))
    assert.match(error.message, /The app must be installed for the repository/)
    return error.reason
  }
  if (server.app) server.app.isInstalled = false
  assert.equal(await reasonOf(forge.findPullRequest(BRANCHES, never())), 'repository_missing')
  if (server.app) Object.assign(server.app, { isInstalled: true, mayWrite: false })
  assert.equal(await reasonOf(forge.findPullRequest(BRANCHES, never())), 'credentials_refused')
  await using another = await startForgeServer('github', { files: { 'docs.json': '{}' } })
  const wrong = openForge(server.address, { ...settings, githubApp: another.app })
  assert.equal(await reasonOf(wrong.findPullRequest(BRANCHES, never())), 'credentials_refused')
})

test('a GitHub App sets statuses only where permitted and reads pull requests either way', async (t) => {
  for (const mayReport of [true, false]) {
    const { server, settings } = await startWithApp(t)
    Object.assign(server.app ?? {}, { mayReport })
    const forge = openForge(server.address, settings)
    assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
    const commit = await server.git('rev-parse', 'main')
    const status = {
      name: 'octavo/preview',
      commit,
      branch: 'main',
      state: 'success',
      description: 'Ready',
      url: 'https://x.example/',
    } as const
    const set = forge.setStatus?.(status, never())
    if (mayReport) await set
    else await assert.rejects(set ?? Promise.resolve(), /does not allow the token to do this/)
    assert.equal(server.statuses.length, mayReport ? 1 : 0)
  }
})

test('Bitbucket: updating a pull request keeps reviewers, and a personal token is sent with its e-mail address', async (t) => {
  const server = await startForgeServer('bitbucket', { files: { 'docs.json': '{}' } })
  t.after(() => server[Symbol.asyncDispose]())
  await server.git('update-ref', 'refs/heads/octavo/change', 'main')
  const forge = openForge(server.address, server.settings)
  const change = { branch: 'octavo/change', target: 'main', title: 'T', body: 'B', isDraft: true }
  const { id } = await forge.createPullRequest(change, never())
  await forge.updatePullRequest(id, { title: 'Another', body: 'text' }, never())
  assert.ok(server.requests[0]?.isDraft)
  await forge.markReadyForReview?.(id, never())
  const { title, body, isDraft } = server.requests[0] ?? {}
  assert.deepEqual({ title, body, isDraft }, { title: 'Another', body: 'text', isDraft: false })
  assert.deepEqual(
    server.reviewersOf(1).map(({ display_name: name }) => name),
    ['Reviewer'],
  )

  const tokens = { [server.host]: `ann@example.com:${server.token}` }
  const asPerson = { ...server.settings, tokens }
  const wrong = openForge(server.address, asPerson).findPullRequest(change, never())
  await assert.rejects(wrong, /rejects the token/, 'the stand-in knows tokens of repositories alone')
  const sent = server.apiRequests.at(-1)?.authorization?.replace(/^Basic /, '') ?? ''
  assert.equal(Buffer.from(sent, 'base64').toString(), `ann@example.com:${server.token}`)
  assert.deepEqual(await credentialsFor(server.address, asPerson, never()), {
    username: 'x-bitbucket-api-token-auth',
    token: server.token,
  })
})

test('GitHub: a pull request without commits is refused with the message of the forge', async (t) => {
  const { server } = await startWithApp(t)
  await server.git('update-ref', 'refs/heads/octavo/empty', 'main')
  const forge = openForge(server.address, server.settings)
  const create = forge.createPullRequest(
    { branch: 'octavo/empty', target: 'main', title: 'T', body: '' },
    never(),
  )
  await assert.rejects(create, (error) => {
    assert.ok(error instanceof ForgeError)
    assert.equal(error.reason, 'refused')
    assert.match(error.message, /Message: Validation Failed No commits between main and octavo\/empty/)
    return true
  })
})

test('uses the configured proxy except for hosts in noProxy', async (t) => {
  const { server } = await startWithApp(t)
  const asked: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '')
    asked.push(url.host)
    const { method, headers } = incoming
    const onward = request(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const through = openForge(server.address, {
    ...server.settings,
    network: { guard: listedGuard, proxy: address },
  })
  assert.equal(await through.findPullRequest(BRANCHES, never()), null)
  assert.deepEqual(asked, [server.host])
  const bare = openForge(server.address, {
    ...server.settings,
    network: { guard: listedGuard, proxy: address.replace('http://', '') },
  })
  assert.equal(await bare.findPullRequest(BRANCHES, never()), null)
  const wrong = openForge(server.address, {
    ...server.settings,
    network: { guard: listedGuard, proxy: 'ftp://nowhere' },
  })
  await assert.rejects(wrong.findPullRequest(BRANCHES, never()), /OCTAVO_GIT_PROXY/)
  const network = { guard: listedGuard, proxy: address, noProxy: '127.0.0.1' }
  const past = openForge(server.address, { ...server.settings, network })
  assert.equal(await past.findPullRequest(BRANCHES, never()), null)
  assert.equal(asked.length, 2)
})

const GIT_USERS = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'x-access-token',
  bitbucket: 'x-token-auth',
} as const

for (const kind of FORGE_KINDS) {
  test(`${kind}: a change is pushed, proposed as a pull request, merged at the forge and found on the target`, async (t) => {
    const server = await startForgeServer(kind, { files: { 'docs/index.mdx': 'Before' } })
    t.after(() => server[Symbol.asyncDispose]())
    await publishChange(t, server, server.settings)
    assert.deepEqual(new Set(server.gitUsers), new Set([GIT_USERS[kind]]))
  })
}

test('with a GitHub App a change is pushed and merged with a single access token', async (t) => {
  const { server, settings } = await startWithApp(t)
  await publishChange(t, server, settings)
  const made = server.apiRequests.filter(({ path }) => path.endsWith('/access_tokens'))
  assert.equal(made.length, 1)
})

async function publishChange(t: TestContext, server: ForgeServer, settings: ForgeSettings): Promise<void> {
  const mirrorsFolder = await mkdtemp(join(tmpdir(), 'octavo-forges-'))
  t.after(() => rm(mirrorsFolder, { recursive: true, force: true }))
  const repository = openProjectRepository(
    {
      mirrorsFolder,
      settings: { guard: listedGuard },
      allowHttp: true,
      credentialsOf: (row, signal) => credentialsFor(row.repository, settings, signal),
    },
    { ...SOURCE_ROW, source_kind: 'git', repository: server.address, ref: null, docs_folder: '' },
  )
  const target = await repository.fetchTarget(never())
  const changes = new Map([['docs/index.mdx', 'After']])
  const author = { name: 'Agent', email: 'agent@example.com' }
  const commit = await repository.writeCommit(
    { parent: target.commit, changes, message: 'Say what comes after', author, at: new Date(0) },
    never(),
  )
  await repository.pushBranch({ branch: BRANCHES.branch, commit, expected: null }, never())
  const forge = openForge(server.address, settings)
  const { id } = await forge.createPullRequest({ ...BRANCHES, title: 'After', body: 'Because.' }, never())
  await server.merge(Number(id))
  assert.equal((await forge.findPullRequest(BRANCHES, never()))?.state, 'merged')
  const accepted = await repository.fetchTarget(never())
  const texts = await repository.readFiles(accepted.commit, ['docs/index.mdx'], 100, never())
  assert.equal(texts.get('docs/index.mdx'), 'After')
}
