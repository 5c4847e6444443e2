import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { GitError } from '../../src/git/git-error.ts'
import { openProjectRepository } from '../../src/git/project-repository.ts'
import { createTestRepository, listedGuard, SOURCE_ROW, startGitServer } from '../kit/git.ts'

type Intercept = NonNullable<Parameters<typeof startGitServer>[0]['intercept']>

const scratch = await mkdtemp(join(tmpdir(), 'octavo-refused-'))
after(() => rm(scratch, { recursive: true, force: true }))
const signal = new AbortController().signal
const branch = 'octavo/say-more-1'
const TOKEN = 'tok-s3cret-write'
let folders = 0

async function open(options: { intercept?: Intercept; token?: string; isReadOnly?: boolean } = {}) {
  const origin = await createTestRepository({ 'index.mdx': 'one' })
  if (!options.isReadOnly) await origin.git('config', 'http.receivepack', 'true')
  const server = await startGitServer({ folder: dirname(origin.folder), ...options })
  const row = {
    ...SOURCE_ROW,
    source_kind: 'git',
    repository: `${server.url}/${basename(origin.folder)}`,
    ref: null,
    docs_folder: '',
  } as const
  const credentialsOf = async () => ({ token: TOKEN })
  const settings = { guard: listedGuard }
  const mirrorsFolder = join(scratch, String(folders++))
  const repository = openProjectRepository({ mirrorsFolder, credentialsOf, settings, allowHttp: true }, row)
  const { commit: parent } = await repository.fetchTarget(signal)
  const author = { name: 'Octavo', email: 'octavo@example.com' }
  const changes = new Map([['index.mdx', 'two']])
  const commit = await repository.writeCommit(
    { parent, changes, message: 'm', author, at: new Date(0) },
    signal,
  )
  return {
    origin,
    server,
    commit,
    push: (name = branch) => repository.pushBranch({ branch: name, commit, expected: null }, signal),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
}

const hook = (folder: string, script: string) =>
  writeFile(join(folder, '.git/hooks/pre-receive'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

async function refusalOf(push: Promise<void>): Promise<GitError> {
  const error = await push.then(
    () => assert.fail('the push was taken'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof GitError, String(error))
  for (const secret of [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')]) {
    assert.ok(!`${error.message} ${error.detail} ${error.stack}`.includes(secret), secret)
  }
  return error
}

test('reports the rejection of a protected branch with the sanitized message of the server', async () => {
  await using opened = await open()
  await hook(
    opened.origin.folder,
    [
      `printf '\\033[31mGH006:\\033[0m Protected branch.\\tAsk %s\\n' 'https://me:pw@example.com/x' >&2`,
      // Text that would be classified differently if it came from git itself.
      `echo 'the SSL certificate page does not exist; authentication failed; read-only' >&2`,
      `env | grep HTTP >&2`,
      `echo 'Bearer ${TOKEN}' >&2`,
      'exit 1',
    ].join('\n'),
  )
  const error = await refusalOf(opened.push())
  assert.equal(error.reason, 'push_refused')
  assert.equal(error.isTemporary, false)
  assert.match(
    error.message,
    /^The repository http:\S+ rejects the branch octavo\/say-more-1: pre-receive hook declined; its message: GH006: Protected branch\. Ask https:\/\/example\.com\/x the SSL/,
  )
  assert.doesNotMatch(error.message, /\p{Cc}/u)
  await hook(opened.origin.folder, 'yes "no no no" | head -c 500000 >&2; exit 1')
  const long = await refusalOf(opened.push())
  assert.equal(long.reason, 'push_refused')
  assert.ok(long.message.length < 700, String(long.message.length))
})

test('reports read-only access, rejected credentials and server errors on push', async () => {
  await using readOnly = await open({ isReadOnly: true })
  const refused = await refusalOf(readOnly.push())
  assert.equal(refused.reason, 'push_refused')
  assert.match(refused.message, /its credentials have no write access\.$/)
  const status =
    (code: number): Intercept =>
    (request, response) => {
      if (!request.url?.includes('receive-pack')) return false
      response.writeHead(code, code === 401 ? { 'www-authenticate': 'Basic realm="x"' } : {}).end()
      return true
    }
  for (const [code, reason, isTemporary] of [
    [401, 'credentials_refused', false],
    [403, 'push_refused', false],
    [404, 'repository_missing', false],
    [500, 'repository_unreachable', true],
    [503, 'repository_unreachable', true],
  ] as const) {
    await using odd = await open({ intercept: status(code) })
    const error = await refusalOf(odd.push())
    assert.equal(error.reason, reason, `${code}: ${error.message} ${error.detail}`)
    assert.equal(error.isTemporary, isTemporary)
  }
})

test('a push whose response is lost succeeds when the branch is at the pushed commit', async () => {
  let cut = 0
  await using opened = await open({
    intercept(request, response) {
      if (request.method !== 'POST' || !request.url?.endsWith('git-receive-pack')) return false
      // The server processes the push, but the client gets no response.
      response.write = () => true
      response.writeHead = () => response
      response.end = () => response.destroy()
      cut++
      return false
    },
  })
  await opened.push()
  assert.ok(cut > 0)
  assert.equal(await opened.origin.git('rev-parse', branch), opened.commit)
})

test('pushes only job branches and rejects every other branch name', async () => {
  await using opened = await open()
  const asked = opened.server.requests.length
  for (const name of [
    'main',
    'octavo',
    'octavo/',
    'octavo/a/b',
    'octavo/../main',
    'octavo/a..b',
    'octavo/a.lock',
    'octavo/-a',
    'octavo/a:main',
    'octavo/a b',
    'octavo/a*',
    'octavo/a\nb',
    '+octavo/a',
    ':main',
    'refs/heads/octavo/a',
    'OCTAVO/a',
  ]) {
    await assert.rejects(opened.push(name), TypeError, name)
  }
  assert.equal(opened.server.requests.length, asked, 'the server hears nothing of it')
  assert.equal(await opened.origin.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main')
})
