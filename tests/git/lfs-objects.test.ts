/** Git LFS files, for every way of reading a project. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { FileTree } from '../../src/base/files/file-tree.ts'
import { openProjectRepository } from '../../src/git/project-repository.ts'
import { openProjectTree } from '../../src/git/project-source.ts'
import { loadSite } from '../../src/site/load-site.ts'
import {
  createTestRepository,
  type GitServer,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'

const SHOT = 'the bytes of a picture, more than a pointer has '.repeat(40)
const oidOf = (text: string) => createHash('sha256').update(text).digest('hex')
const pointerTo = (text: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(text)}\nsize ${text.length}\n`

type Answer = (request: IncomingMessage, response: ServerResponse) => void
let temporary: string
let repository: TestRepository
let server: GitServer
let commit: string
/** Keyed by the last segment of the path. */
let answers: Record<string, Answer>
/** Last path segment and `Authorization` header of each request to the LFS server. */
let asked: [string, string | undefined][]

before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'octavo-lfs-'))
  repository = await createTestRepository()
  commit = await repository.commit({
    'docs.json': JSON.stringify({
      ...{ name: 'T', theme: 'mint', colors: { primary: '#123456' } },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': '![shot](/images/shot.png)',
    'images/shot.png': pointerTo(SHOT),
    'images/dot.png': 'dot',
  })
  server = await startGitServer({
    folder: dirname(repository.folder),
    token: 'secret',
    intercept(request, response) {
      const name = basename(new URL(request.url ?? '/', 'http://server').pathname)
      const answer = answers[name]
      if (!answer) return false
      asked.push([name, request.headers.authorization])
      answer(request, response)
      return true
    },
  })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await repository[Symbol.asyncDispose]()
  await rm(temporary, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
})

const objects = (...list: object[]): Answer => {
  return (_, response) => response.end(JSON.stringify({ transfer: 'basic', objects: list }))
}
const at = (href: string, header = {}) => ({ oid: oidOf(SHOT), actions: { download: { href, header } } })
const sends = (text: string): Answer => {
  return (_, response) => response.end(text)
}
const status = (code: number, headers = {}): Answer => {
  return (_, response) => response.writeHead(code, headers).end('no')
}

let mirrors = 0
function place(mirrorsFolder = join(temporary, String(mirrors++))) {
  const deps = { mirrorsFolder, settings: { guard: listedGuard }, allowHttp: true }
  const row = {
    ...SOURCE_ROW,
    source_kind: 'git',
    repository: `${server.url}/${basename(repository.folder)}`,
    ref: null,
    docs_folder: '',
    fetches_lfs: true,
  } as const
  return { deps: { ...deps, credentialsOf: async () => ({ token: 'secret' }) }, row }
}

const signal = AbortSignal.timeout(120_000)
async function shotIn(tree: FileTree): Promise<string> {
  await using _ = tree
  return Buffer.from(await tree.read('images/shot.png')).toString()
}

test('an LFS object is fetched once and appears with its digest in every tree of the project', async () => {
  const { deps, row } = place()
  const href = `${server.url}/store/object`
  answers = { batch: objects(at(href, { Authorization: 'Bearer own' })), object: sends(SHOT) }
  const tree = await openProjectTree(deps, row, null, signal)
  assert.deepEqual(tree.files.get('images/shot.png'), { sizeBytes: SHOT.length, digest: oidOf(SHOT) })
  assert.equal(await shotIn(tree), SHOT)
  const docs = await openProjectRepository(deps, row).openDocs(commit, signal)
  assert.equal(await shotIn(docs), SHOT)
  const basic = `Basic ${Buffer.from('x-access-token:secret').toString('base64')}`
  assert.deepEqual(asked, [
    ['batch', basic],
    ['object', 'Bearer own'],
  ])
  const plain = await openProjectTree(deps, { ...row, fetches_lfs: false }, null, signal)
  assert.equal(await shotIn(plain), pointerTo(SHOT))
})

test('follows an LFS redirect to another server without the token', async () => {
  const { deps, row } = place()
  const other = server.url.replace('127.0.0.1', 'localhost')
  answers = {
    batch: objects(at(`${server.url}/store/object`)),
    object: status(302, { location: `${other}/store/moved` }),
    moved: sends(SHOT),
  }
  assert.equal(await shotIn(await openProjectTree(deps, row, null, signal)), SHOT)
  assert.deepEqual(
    asked.map(([name, authorization]) => [name, authorization !== undefined]),
    [
      ['batch', true],
      ['object', true],
      ['moved', false],
    ],
  )
})

const FAILURES: Record<string, [answers: () => Record<string, Answer>, reason: RegExp]> = {
  'a server without LFS': [() => ({ batch: status(404) }), /has no Git LFS for this repository/],
  'a token that is refused': [() => ({ batch: status(401) }), /Give the project a token/],
  'an object that is not there': [
    () => ({ batch: objects({ oid: oidOf(SHOT), error: { code: 404, message: 'x' } }) }),
    /git lfs push --all/,
  ],
  'an answer without the object': [() => ({ batch: objects() }), /git lfs push --all/],
  'an answer of no form': [() => ({ batch: sends('{"objects":7}') }), /an invalid response/],
  'an answer without an end': [() => ({ batch: (_, response) => endless(response) }), /an invalid response/],
  'other bytes': [
    () => ({ batch: objects(at(`${server.url}/object`)), object: sends(SHOT.replace('b', 'c')) }),
    /does not match the pointer/,
  ],
  'more bytes than it has': [
    () => ({ batch: objects(at(`${server.url}/object`)), object: (_, response) => endless(response) }),
    /does not match the pointer/,
  ],
  'redirects without end': [
    () => ({
      batch: objects(at(`${server.url}/object`)),
      object: status(302, { location: `${server.url}/object` }),
    }),
    /status 302/,
  ],
  'an address of the machine itself': [
    () => ({ batch: objects(at(`http://127.0.0.2:${new URL(server.url).port}/object`)) }),
    /^The Git LFS server of .* could not be reached|cannot be reached/,
  ],
  'a file of the machine': [() => ({ batch: objects(at('file:///etc/passwd')) }), /an invalid response/],
  'headers that are none': [
    () => ({
      batch: objects(at(`${server.url}/object`, { 'a\r\nb': 'c', Host: 'x', 'Content-Length': '9' })),
      object: sends(SHOT),
    }),
    /could not be reached|cannot be reached/,
  ],
}

function endless(response: ServerResponse): void {
  const more = (error?: Error | null) => {
    if (!error) response.write('x'.repeat(1 << 16), more)
  }
  more()
}

for (const [name, [given, reason]] of Object.entries(FAILURES)) {
  test(`${name}: keeps the LFS pointer and reports the reason`, async () => {
    answers = given()
    const { deps, row } = place()
    await using tree = await openProjectTree(deps, row, null, signal)
    assert.match(tree.unfetched?.get('images/shot.png') ?? '', reason)
    const { problems } = await loadSite(tree)
    const told = problems.filter(({ code }) => code === 'file.lfs_pointer')
    assert.equal(told.length, 1)
    assert.match(told[0]?.message ?? '', new RegExp(reason.source.replace('^', '')))
    assert.equal(Buffer.from(await tree.read('images/shot.png')).toString(), pointerTo(SHOT))
  })
}
