import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { openTree } from '../../src/git/checkout.ts'
import { GitError, type GitErrorReason } from '../../src/git/git-error.ts'
import { openMirror } from '../../src/git/mirror.ts'
import { type GitCredentials, parseRepository } from '../../src/git/repository.ts'
import {
  createTestRepository,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'
import { until } from '../kit/until.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-http-'))
after(() => rm(scratch, { recursive: true, force: true }))
let folders = 0
const settings = { guard: listedGuard }

function open(
  repository: string,
  more: { ref?: string; credentials?: GitCredentials; mirrorsFolder?: string } = {},
) {
  const { mirrorsFolder = join(scratch, String(folders++)), ...source } = more
  return openTree({
    projectId: SOURCE_ROW.id,
    source: { kind: 'git', repository, ...source },
    mirrorsFolder,
    settings,
    allowHttp: true,
  })
}

const serve = (repository: TestRepository, options: Partial<Parameters<typeof startGitServer>[0]> = {}) =>
  startGitServer({ folder: dirname(repository.folder), ...options })

async function rejectsWith(opening: Promise<unknown>, reason: GitErrorReason, hidden: string[] = []) {
  await assert.rejects(opening, (error) => {
    assert.ok(error instanceof GitError, String(error))
    assert.equal(error.reason, reason, `${error.message} ${error.detail}`)
    for (const secret of hidden) assert.ok(!`${error.message}${error.detail}${error.stack}`.includes(secret))
    return true
  })
}

test('reads the default branch when no ref is given and fetches it again only after it moved', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'one', 'big.txt': 'x'.repeat(100_000) })
  await repository.git('branch', 'other')
  await using server = await serve(repository)
  const url = `${server.url}/${basename(repository.folder)}`
  const mirrorsFolder = join(scratch, 'kept')
  const fetches = () => server.requests.filter(({ method }) => method === 'POST').length
  await using first = await open(url, { mirrorsFolder })
  assert.deepEqual([...first.files.keys()], ['big.txt', 'index.mdx'])
  const afterFirst = fetches()
  await using second = await open(url, { mirrorsFolder })
  assert.equal(second.revision, first.revision)
  const forAsking = fetches() - afterFirst
  const commit = await repository.commit({ 'index.mdx': 'two' })
  await using third = await open(url, { mirrorsFolder })
  assert.equal(third.revision, commit)
  assert.equal(Buffer.from(await third.read('index.mdx')).toString(), 'two')
  assert.ok(fetches() - afterFirst - forAsking > forAsking, 'what moved is fetched')
  await using byCommit = await open(url, { ref: first.revision, mirrorsFolder })
  assert.equal(byCommit.revision, first.revision)
  await using byShortCommit = await open(url, { ref: first.revision.slice(0, 10) })
  assert.equal(byShortCommit.revision, first.revision)
})

test('a token opens a private repository and appears in no file, address or message', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const token = 'tok-3n/s?e=cret'
  await using server = await serve(repository, { token })
  const url = `${server.url}/${basename(repository.folder)}`
  const mirrorsFolder = join(scratch, 'closed')
  await rejectsWith(open(url, { mirrorsFolder }), 'credentials_refused')
  await rejectsWith(open(url, { credentials: { token: 'wrong' }, mirrorsFolder }), 'credentials_refused', [
    'wrong',
  ])
  await using tree = await open(url, { credentials: { token }, mirrorsFolder })
  assert.deepEqual([...tree.files.keys()], ['index.mdx'])
  const inAddress = url.replace('://', `://someone:${encodeURIComponent(token)}@`)
  await using again = await open(inAddress, { mirrorsFolder })
  assert.equal(again.revision, tree.revision)
  await rejectsWith(open(inAddress.replace('cret', 'wrong'), { mirrorsFolder }), 'credentials_refused', [
    'wrong',
    'tok-3n',
  ])
  await rejectsWith(open(`${inAddress}-missing`, { mirrorsFolder }), 'repository_missing', ['tok-3n'])
  // Objects fetched by one caller are not available to another with invalid credentials.
  await rejectsWith(open(url, { ref: tree.revision, mirrorsFolder }), 'credentials_refused')
  for (const file of globSync(join(mirrorsFolder, '**/*')).filter((name) => statSync(name).isFile())) {
    const content = await readFile(file, 'latin1')
    assert.ok(
      !content.includes('tok-3n') && !content.includes(Buffer.from(`someone:${token}`).toString('base64')),
      file,
    )
  }
})

test('does not follow redirects, with or without a token', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  await using other = await serve(repository)
  await using server = await startGitServer({
    folder: scratch,
    intercept(request, response) {
      const location = `${other.url.replace('127.0.0.1', 'localhost')}${request.url}`
      response.writeHead(302, { location }).end()
      return true
    },
  })
  const url = `${server.url}/${basename(repository.folder)}`
  await rejectsWith(open(url), 'repository_moved')
  await rejectsWith(open(url, { credentials: { token: 'secret' } }), 'repository_moved', ['secret'])
  assert.ok(server.requests.at(-1)?.authorization)
  assert.equal(other.requests.length, 0, 'the other host hears nothing')
})

test('maps server failures to distinct error reasons', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  await using server = await serve(repository)
  await rejectsWith(open(`${server.url}/missing`), 'repository_missing')
  await rejectsWith(open(`${server.url}/${basename(repository.folder)}`, { ref: 'nope' }), 'ref_missing')
  await rejectsWith(open('http://127.0.0.1:1/x'), 'repository_unreachable')
  await rejectsWith(open('http://no-such-host.invalid/x'), 'repository_unreachable')
  for (const [status, reason] of [
    [401, 'credentials_refused'],
    [403, 'credentials_refused'],
    [404, 'repository_missing'],
    [500, 'repository_unreachable'],
  ] as const) {
    await using odd = await startGitServer({
      folder: scratch,
      intercept(_request, response) {
        response.writeHead(status).end('no')
        return true
      },
    })
    await rejectsWith(open(`${odd.url}/x`), reason)
  }
})

test('a fetch from an unresponsive server ends on abort and on timeout', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const folder = join(scratch, 'silent')
  await using silent = await startGitServer({ folder: scratch, intercept: () => true })
  const controller = new AbortController()
  const never = openMirror({
    projectId: SOURCE_ROW.id,
    settings,
    folder,
    repository: parseRepository(`${silent.url}/x`, { allowHttp: true }),
  })
  const waiting = never.fetchCommit(null, controller.signal)
  await until(() => silent.requests.length > 0)
  controller.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)

  // Requests: capabilities (GET) and refs (POST), the same again for the fetch, then its objects (POST).
  let posts = 0
  await using slow = await serve(repository, {
    intercept: (request) => request.method === 'POST' && ++posts > 2,
  })
  const address = parseRepository(`${slow.url}/${basename(repository.folder)}`, { allowHttp: true })
  await rejectsWith(
    openMirror({
      projectId: SOURCE_ROW.id,
      settings,
      folder,
      repository: address,
      fetchTimeoutMs: 500,
    }).fetchCommit(null),
    'timeout',
  )
})

test('rejects a repository larger than the limit, also on the second fetch', async () => {
  await using repository = await createTestRepository({ 'noise.txt': noise(2_000_000) })
  await using server = await serve(repository)
  const address = parseRepository(`${server.url}/${basename(repository.folder)}`, { allowHttp: true })
  const limited = openMirror({
    projectId: SOURCE_ROW.id,
    settings,
    folder: join(scratch, 'small'),
    repository: address,
    maxFetchBytes: 500_000,
  })
  await rejectsWith(limited.fetchCommit(null), 'too_large')
  await rejectsWith(limited.fetchCommit(null), 'too_large')
  const enough = openMirror({
    projectId: SOURCE_ROW.id,
    settings,
    folder: join(scratch, 'small'),
    repository: address,
    maxFetchBytes: 5_000_000,
  })
  assert.equal(await enough.fetchCommit(null), await repository.git('rev-parse', 'HEAD'))
})

/** Returns incompressible text. */
function noise(length: number): string {
  let state = 1
  let made = ''
  while (made.length < length) {
    state = (state * 48271) % 2147483647
    made += state.toString(36)
  }
  return made
}
