/** Checks the permissions of a token with servers that respond like each kind of forge, and with some that do not. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { parseGitPrefix } from '../../src/features/projects/operations/git-prefix.ts'
import { ForgeError } from '../../src/git/forges/forge.ts'
import type { ForgeKind } from '../../src/git/forges/forge-location.ts'
import { tryToken } from '../../src/git/forges/test-token.ts'
import { listedGuard } from '../kit/git.ts'
import { patience } from '../kit/until.ts'

const TOKEN = 'token-of-the-harbour-7421'

async function forge(listener: RequestListener) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function ask(kind: ForgeKind, path: string, answer: unknown, status = 200) {
  await using server = await forge((_request, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
  )
  const place = parseGitPrefix(server.host + path)
  assert.ok(place !== null)
  const settings = { kinds: { [server.host]: kind }, network: { guard: listedGuard }, allowHttp: true }
  const trial = await tryToken(place, TOKEN, settings, patience()).catch((error: unknown) => {
    if (error instanceof ForgeError) return { reason: error.reason, sentence: error.message }
    throw error
  })
  const [request] = server.asked
  return { trial, url: request?.url, authorization: request?.headers.authorization }
}

test('each kind of forge reports which repositories a token can see and where it can write', async () => {
  const github = await ask('github', '/acme', [
    { full_name: 'Acme/docs', permissions: { push: true } },
    { full_name: 'acme/code', permissions: { push: false } },
    { full_name: 'somebody/else', permissions: { push: true } },
  ])
  assert.deepEqual(github, {
    trial: {
      repositories: [
        { name: 'Acme/docs', mayWrite: true },
        { name: 'acme/code', mayWrite: false },
      ],
      isPartial: false,
    },
    url: '/api/v3/user/repos?per_page=50&sort=pushed',
    authorization: `Bearer ${TOKEN}`,
  })
  const gitlab = await ask('gitlab', '/acme/team/docs', {
    path_with_namespace: 'acme/team/docs',
    permissions: { project_access: null, group_access: { access_level: 30 } },
  })
  assert.equal(gitlab.url, '/api/v4/projects/acme%2Fteam%2Fdocs')
  assert.deepEqual(gitlab.trial, {
    repositories: [{ name: 'acme/team/docs', mayWrite: true }],
    isPartial: false,
  })
  const gitea = await ask('gitea', '', { data: [{ full_name: 'acme/docs', permissions: { push: false } }] })
  assert.equal(gitea.authorization, `token ${TOKEN}`)
  assert.deepEqual(gitea.trial, {
    repositories: [{ name: 'acme/docs', mayWrite: false }],
    isPartial: false,
  })
  const bitbucket = await ask('bitbucket', '/acme', { values: [{ full_name: 'acme/docs' }] })
  assert.equal(bitbucket.url, '/2.0/repositories/acme?pagelen=50')
  assert.deepEqual(bitbucket.trial, {
    repositories: [{ name: 'acme/docs', mayWrite: null }],
    isPartial: false,
  })
})

test('distinguishes a rejected token, a token without repositories and an unreachable forge', async () => {
  const reasonOf = async (answer: unknown, status: number) =>
    (await ask('github', '/acme/docs', answer, status)).trial
  const refused = (await reasonOf({ message: `Bad credentials ${TOKEN}` }, 401)) as { reason: string }
  assert.equal(refused.reason, 'credentials_refused')
  assert.ok(!JSON.stringify(refused).includes(TOKEN))
  assert.equal(
    ((await reasonOf({ message: 'Not Found' }, 404)) as { reason: string }).reason,
    'repository_missing',
  )
  assert.equal(((await reasonOf({}, 502)) as { reason: string }).reason, 'unreachable')
  assert.equal(((await reasonOf('<h1>Hello</h1>', 200)) as { reason: string }).reason, 'refused')
  for (const odd of [null, 7, [], [null, 1, { full_name: 3 }], { full_name: 'x'.repeat(10_000) }])
    assert.deepEqual(await reasonOf(odd, 200), { repositories: [], isPartial: false }, JSON.stringify(odd))
})

test('reports a host that lacks the expected forge API', async () => {
  for (const status of [302, 404]) {
    const { trial } = await ask('gitea', '', 'Nothing here', status)
    assert.match((trial as { sentence: string }).sentence, /an invalid response.*OCTAVO_FORGES/)
  }
  const { trial } = await ask('gitea', '', { message: 'odd' }, 422)
  assert.match((trial as { sentence: string }).sentence, /rejects the request.* Message: odd$/)
})

test('does not contact an unlisted address in a private network', async () => {
  await using server = await forge((_request, response) => response.end('[]'))
  const place = parseGitPrefix(server.host)
  assert.ok(place !== null)
  const settings = { kinds: { [server.host]: 'github' as const }, network: {}, allowHttp: true }
  await assert.rejects(tryToken(place, TOKEN, settings, patience()), ForgeError)
  assert.equal(server.asked.length, 0)
})

test('refuses to test a token against a host of unknown forge kind', async () => {
  const place = parseGitPrefix('git.example.com/acme')
  assert.ok(place !== null)
  const settings = { kinds: {}, network: {}, allowHttp: false }
  await assert.rejects(tryToken(place, TOKEN, settings, patience()), /cannot be tested/)
  const odd = { host: 'constructor', names: [] }
  await assert.rejects(tryToken(odd, TOKEN, settings, patience()), /cannot be tested/)
})
