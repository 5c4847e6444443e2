/** Pushing a job's branch from a folder and over HTTP, after crashes, with concurrent pushes and rejections. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { GitError, type GitErrorReason } from '../../src/git/git-error.ts'
import { openProjectRepository, type ProjectRepository } from '../../src/git/project-repository.ts'
import {
  keyFingerprint,
  newSigningKey,
  openCommitSigner,
  publicSigningKey,
} from '../../src/git/push/sign-commit.ts'
import {
  createTestRepository,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'
import { verifyCommit } from '../kit/verify-commit.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-push-'))
after(() => rm(scratch, { recursive: true, force: true }))
const signal = new AbortController().signal
let folders = 0

const author = { name: 'Octavo', email: 'octavo@example.com' }
const at = new Date('2026-01-02T03:04:05Z')
const branch = 'octavo/say-more-1'

test('a signed commit is identical in every attempt and verified by git only with its own key', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'one' })
  const row = {
    ...SOURCE_ROW,
    source_kind: 'folder',
    repository: repository.folder,
    ref: null,
    docs_folder: '',
  } as const
  const parent = await repository.git('rev-parse', 'main')
  const key = newSigningKey()
  const publicKey = publicSigningKey(key)
  const made = []
  for (const message of ['Say more\n', 'Say more\n', 'An umlaut: ü, and no end of the line']) {
    const project = openProjectRepository({ mirrorsFolder: join(scratch, String(folders++)) }, row)
    const changes = new Map([['index.mdx', 'two']])
    const sign = openCommitSigner(key)
    const commit = await project.writeCommit({ parent, changes, message, author, at, sign }, signal)
    const name = `${branch}-${made.length}`
    await project.pushBranch({ branch: name, commit, expected: null }, signal)
    made.push(commit)
    await verifyCommit(repository, commit, { publicKey, email: author.email })
    const others = { publicKey: publicSigningKey(newSigningKey()), email: author.email }
    await assert.rejects(verifyCommit(repository, commit, others))
  }
  assert.equal(made[0], made[1])
  await repository.git('fsck', '--strict')
  const file = `${repository.folder}.pub`
  await writeFile(file, publicKey)
  const { stdout } = await promisify(execFile)('ssh-keygen', ['-l', '-f', file])
  assert.ok(stdout.includes(keyFingerprint(publicKey)), stdout)
})

const write = (repository: ProjectRepository, parent: string, text: string) =>
  repository.writeCommit(
    { parent, changes: new Map([['index.mdx', text]]), message: 'm', author, at },
    signal,
  )

async function rejectsWith(work: Promise<unknown>, reason: GitErrorReason, sentence: RegExp) {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof GitError, String(error))
    assert.equal(error.reason, reason, `${error.message} ${error.detail}`)
    assert.match(error.message, sentence)
    return true
  })
}

interface Opened extends AsyncDisposable {
  origin: TestRepository
  /** Opens the repository with its own mirror, as on another machine. */
  open(): ProjectRepository
}

async function openOverFile(): Promise<Opened> {
  const origin = await createTestRepository({ 'index.mdx': 'one', 'other.mdx': 'other' })
  const row = {
    ...SOURCE_ROW,
    source_kind: 'folder',
    repository: origin.folder,
    ref: null,
    docs_folder: '',
  } as const
  return {
    origin,
    open: () => openProjectRepository({ mirrorsFolder: join(scratch, String(folders++)) }, row),
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  }
}

async function openOverHttp(options: { serverToken?: string; token?: string } = {}): Promise<Opened> {
  const origin = await createTestRepository({ 'index.mdx': 'one', 'other.mdx': 'other' })
  await origin.git('config', 'http.receivepack', 'true')
  const server = await startGitServer({
    folder: dirname(origin.folder),
    ...(options.serverToken === undefined ? {} : { token: options.serverToken }),
  })
  const repository = `${server.url}/${basename(origin.folder)}`
  const row = { ...SOURCE_ROW, source_kind: 'git', repository, ref: null, docs_folder: '' } as const
  const credentialsOf = async () => ({ token: options.token })
  const settings = { guard: listedGuard }
  return {
    origin,
    open: () =>
      openProjectRepository(
        { mirrorsFolder: join(scratch, String(folders++)), credentialsOf, settings, allowHttp: true },
        row,
      ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
}

const ways: [string, () => Promise<Opened>][] = [
  ['a folder', openOverFile],
  ['HTTP', openOverHttp],
]

for (const [way, open] of ways) {
  test(`over ${way}, a branch is created, updated and deleted`, async () => {
    await using opened = await open()
    const repository = opened.open()
    const { commit: parent } = await repository.fetchTarget(signal)
    const first = await write(repository, parent, 'two')
    await repository.pushBranch({ branch, commit: first, expected: null }, signal)
    assert.equal(await opened.origin.git('rev-parse', branch), first)
    // A follow-up on another machine, which does not have the branch yet.
    const other = opened.open()
    assert.equal(await other.fetchBranch(branch, signal), first)
    const second = await write(other, first, 'three')
    await other.pushBranch({ branch, commit: second, expected: first }, signal)
    assert.equal(await opened.origin.git('show', `${branch}:index.mdx`), 'three')
    assert.equal(await opened.origin.git('log', '--format=%H', branch), `${second}\n${first}\n${parent}`)
    await other.deleteBranch({ branch, expected: second }, signal)
    assert.equal(await other.fetchBranch(branch, signal), null)
    await repository.deleteBranch({ branch, expected: second }, signal)
  })

  test(`over ${way}, repeating a completed push succeeds`, async () => {
    await using opened = await open()
    const before = opened.open()
    const { commit: parent } = await before.fetchTarget(signal)
    const commit = await write(before, parent, 'two')
    await before.pushBranch({ branch, commit, expected: null }, signal)
    await before.pushBranch({ branch, commit, expected: null }, signal)
    const after = opened.open()
    await after.fetchTarget(signal)
    assert.equal(await write(after, parent, 'two'), commit)
    await after.pushBranch({ branch, commit, expected: null }, signal)
    assert.equal(await opened.origin.git('rev-parse', branch), commit)
  })

  test(`over ${way}, a branch moved by someone else is neither overwritten nor deleted`, async () => {
    await using opened = await open()
    const repository = opened.open()
    const { commit: parent } = await repository.fetchTarget(signal)
    const commit = await write(repository, parent, 'two')
    await opened.origin.git('branch', branch, parent)
    await rejectsWith(
      repository.pushBranch({ branch, commit, expected: null }, signal),
      'branch_moved',
      /octavo\/say-more-1 was changed by someone else/,
    )
    await rejectsWith(
      repository.pushBranch({ branch, commit, expected: commit }, signal),
      'branch_moved',
      /someone else/,
    )
    await rejectsWith(repository.deleteBranch({ branch, expected: commit }, signal), 'branch_moved', /./)
    assert.equal(await opened.origin.git('rev-parse', branch), parent)
  })

  test(`over ${way}, a change based on an old commit is pushed after the target has moved on`, async () => {
    await using opened = await open()
    const repository = opened.open()
    const { commit: parent } = await repository.fetchTarget(signal)
    const commit = await write(repository, parent, 'two')
    await opened.origin.commit({ 'other.mdx': 'newer' })
    await repository.pushBranch({ branch, commit, expected: null }, signal)
    assert.equal(await opened.origin.git('rev-parse', `${branch}^`), parent)
    await opened.origin.git('fsck', '--no-dangling')
  })
}
