import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { acquireFileLock } from '../../src/base/files/file-lock.ts'
import { openLocalForge } from '../../src/git/forges/local-forge.ts'
import { GitError, type GitErrorReason } from '../../src/git/git-error.ts'
import { openProjectRepository, type ProjectRepository } from '../../src/git/project-repository.ts'
import { createTestRepository, SOURCE_ROW } from '../kit/git.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-merge-test-'))
after(() => rm(scratch, { recursive: true, force: true }))
const signal = new AbortController().signal
let folders = 0

const author = { name: 'Octavo', email: 'octavo@example.com' }
const at = new Date('2026-01-02T03:04:05Z')
const branch = 'octavo/say-more-1'
const merge = { branch, target: 'main', message: 'Accept: Say more\n', at }

function open(
  path: string,
  ref = 'main',
  mirrorsFolder = join(scratch, String(folders++)),
): ProjectRepository {
  const row = { ...SOURCE_ROW, source_kind: 'folder', repository: path, ref, docs_folder: '' } as const
  return openProjectRepository({ mirrorsFolder }, row)
}

/** Creates a job branch with these changes on top of the current target. */
async function propose(
  repository: ProjectRepository,
  changes: Record<string, string | null>,
  name = branch,
): Promise<string> {
  const { commit: parent } = await repository.fetchTarget(signal)
  const commit = await repository.writeCommit(
    { parent, changes: new Map(Object.entries(changes)), message: 'm', author, at },
    signal,
  )
  await repository.pushBranch({ branch: name, commit, expected: null }, signal)
  return commit
}

async function rejectsWith(work: Promise<unknown>, reason: GitErrorReason, sentence: RegExp) {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof GitError, String(error))
    assert.equal(error.reason, reason, `${error.message} ${error.detail}`)
    assert.match(error.message, sentence)
    return true
  })
}

const lines = (...changed: string[]) => ['1', '2', '3', '4', '5', '6', '7', ...changed].join('\n')
const commitOf = (result: { kind: string; commit?: string }) => {
  assert.equal(result.kind, 'merged')
  return result.commit ?? ''
}

test('accepting a change creates one merge commit on the target and updates the working copy', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one', 'gone.mdx': 'g', 'own.mdx': 'o' })
  await writeFile(join(origin.folder, 'untracked.mdx'), 'mine')
  const repository = open(origin.folder)
  const commit = await propose(repository, { 'index.mdx': 'two', 'new/a.mdx': 'a', 'gone.mdx': null })
  const target = await origin.git('rev-parse', 'main')
  const merged = commitOf(await repository.mergeBranch(merge, signal))
  assert.equal(await origin.git('rev-parse', 'main', 'main^1', 'main^2'), [merged, target, commit].join('\n'))
  assert.equal(await origin.git('log', '-1', '--format=%s %cn %ct'), 'Accept: Say more Octavo 1767323045')
  assert.equal(await readFile(join(origin.folder, 'index.mdx'), 'utf8'), 'two')
  assert.equal(await readFile(join(origin.folder, 'new/a.mdx'), 'utf8'), 'a')
  assert.equal(await origin.git('status', '--porcelain'), '?? untracked.mdx')
  // A repeated call returns the same merge, also from another instance.
  assert.deepEqual(await repository.mergeBranch(merge, signal), { kind: 'merged', commit: merged })
  await origin.commit({ 'own.mdx': 'newer' })
  assert.deepEqual(await open(origin.folder).mergeBranch(merge, signal), { kind: 'merged', commit: merged })
})

test('merges non-overlapping changes of both sides, within one file and across files', async () => {
  await using origin = await createTestRepository({ 'index.mdx': lines(), 'other.mdx': 'o' })
  const repository = open(origin.folder)
  await propose(repository, { 'index.mdx': `0\n${lines()}` })
  await origin.commit({ 'index.mdx': lines('8'), 'other.mdx': 'p', 'added.mdx': 'a' })
  commitOf(await repository.mergeBranch(merge, signal))
  assert.equal(await readFile(join(origin.folder, 'index.mdx'), 'utf8'), `0\n${lines('8')}`)
  assert.equal(await readFile(join(origin.folder, 'other.mdx'), 'utf8'), 'p')
})

test('reports a conflict with its files and changes nothing', async () => {
  await using origin = await createTestRepository({ 'a.mdx': 'a', 'b.mdx': 'b', 'c.mdx': 'c', 'd.mdx': 'd' })
  const repository = open(origin.folder)
  await propose(repository, { 'b.mdx': 'ours', 'a.mdx': 'ours', 'c.mdx': 'ours', 'e.mdx': 'ours' })
  await origin.git('rm', '--quiet', 'c.mdx')
  const target = await origin.commit({
    'b.mdx': 'theirs',
    'a.mdx': 'theirs',
    'e.mdx': 'theirs',
    'd.mdx': 'x',
  })
  assert.deepEqual(await repository.mergeBranch(merge, signal), {
    kind: 'conflict',
    files: ['a.mdx', 'b.mdx', 'c.mdx', 'e.mdx'],
  })
  assert.equal(await origin.git('rev-parse', 'main'), target)
  assert.equal(await origin.git('status', '--porcelain'), '')
})

test('changes accepted at the same time are all merged into the target', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one' })
  const repository = open(origin.folder)
  const names = ['octavo/a-1', 'octavo/b-2', 'octavo/c-3']
  for (const name of names) await propose(repository, { [`${name}.mdx`]: name }, name)
  const mirrors = join(scratch, String(folders++))
  const results = await Promise.all(
    names.map((name) => open(origin.folder, 'main', mirrors).mergeBranch({ ...merge, branch: name }, signal)),
  )
  for (const result of results) commitOf(result)
  for (const name of names) {
    assert.equal(await readFile(join(origin.folder, `${name}.mdx`), 'utf8'), name)
  }
  assert.equal(await origin.git('rev-list', '--count', '--merges', 'main'), '3')
  assert.equal(await origin.git('status', '--porcelain'), '')
})

test('a merge waits while another one holds the merge lock', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one' })
  const mirrors = join(scratch, String(folders++))
  const repository = open(origin.folder, 'main', mirrors)
  await propose(repository, { 'first.mdx': 'one' }, 'octavo/first-1')
  commitOf(await repository.mergeBranch({ ...merge, branch: 'octavo/first-1' }, signal))
  const commit = await propose(repository, { 'index.mdx': 'two' })
  const state = () => repository.stateOf({ branch, commit, target: 'main' }, signal)
  const mirror = (await readdir(join(mirrors, SOURCE_ROW.id))).find((name) => name.endsWith('-history.git'))
  assert.ok(mirror, 'a merge makes the mirror with history')
  const lock = await acquireFileLock(join(mirrors, SOURCE_ROW.id, `${mirror}.merge.lock`))
  const merging = repository.mergeBranch(merge, signal)
  for (let asked = 0; asked < 5; asked++) assert.equal(await state(), 'open')
  await lock[Symbol.asyncDispose]()
  commitOf(await merging)
  assert.equal(await state(), 'merged')
})

test('refuses to merge over uncommitted changes and leaves the working copy as it is', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one', 'other.mdx': 'o' })
  const repository = open(origin.folder)
  const target = await origin.git('rev-parse', 'main')
  await propose(repository, { 'index.mdx': 'two', 'new.mdx': 'n' })
  const sentence = /^The branch main is checked out in .*, and uncommitted changes there prevent the merge/
  const refuses = async () => {
    await rejectsWith(repository.mergeBranch(merge, signal), 'push_refused', sentence)
    assert.equal(await origin.git('rev-parse', 'main'), target)
  }
  await writeFile(join(origin.folder, 'index.mdx'), 'mine')
  await refuses()
  assert.equal(await readFile(join(origin.folder, 'index.mdx'), 'utf8'), 'mine')
  await origin.git('add', 'index.mdx')
  await refuses()
  await origin.git('reset', '--quiet', '--hard')
  await writeFile(join(origin.folder, 'new.mdx'), 'mine too')
  await refuses()
  assert.equal(await readFile(join(origin.folder, 'new.mdx'), 'utf8'), 'mine too')
  await rm(join(origin.folder, 'new.mdx'))
  commitOf(await repository.mergeBranch(merge, signal))
})

test('completes a merge that was interrupted between the working copy and the branch update', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one', 'gone.mdx': 'g' })
  const repository = open(origin.folder)
  const target = await origin.git('rev-parse', 'main')
  await propose(repository, { 'index.mdx': 'two', 'new.mdx': 'n', 'gone.mdx': null })
  const merged = commitOf(await repository.mergeBranch(merge, signal))
  await origin.git('update-ref', 'refs/heads/main', target)
  assert.notEqual(await origin.git('status', '--porcelain'), '', 'the files are there, the branch is not')
  assert.deepEqual(await repository.mergeBranch(merge, signal), { kind: 'merged', commit: merged })
  assert.equal(await origin.git('rev-parse', 'main'), merged)
  assert.equal(await origin.git('status', '--porcelain'), '')
  // Any other content in the working copy is someone's work.
  await origin.git('update-ref', 'refs/heads/main', target)
  await writeFile(join(origin.folder, 'index.mdx'), 'mine')
  await rejectsWith(repository.mergeBranch(merge, signal), 'push_refused', /prevent the merge/)
})

test('merges into a branch that is not checked out, a bare repository, a linked worktree and a shallow clone', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'zero' })
  await origin.commit({ 'index.mdx': 'one' })
  const place = (name: string) => join(scratch, `${folders++}-${name}`)
  const bare = place('bare.git')
  await origin.git('clone', '--quiet', '--bare', '.', bare)
  const shallow = place('shallow')
  await origin.git('clone', '--quiet', '--depth=1', `file://${origin.folder}`, shallow)
  const linked = place('linked')
  await origin.git('worktree', 'add', '--quiet', '-b', 'next', linked)
  await origin.git('checkout', '--quiet', '-b', 'elsewhere')
  for (const [folder, target] of [
    [bare, 'main'],
    [shallow, 'main'],
    [linked, 'next'],
    [origin.folder, 'main'],
  ] as const) {
    const repository = open(folder, target)
    const name = `octavo/${target}-1`
    await propose(repository, { 'index.mdx': `accepted in ${target}` }, name)
    const commit = commitOf(await repository.mergeBranch({ ...merge, branch: name, target }, signal))
    assert.equal(await origin.git('-C', folder, 'show', `${target}:index.mdx`), `accepted in ${target}`)
    assert.equal(await origin.git('-C', folder, 'rev-parse', target), commit)
  }
  assert.equal(await readFile(join(linked, 'index.mdx'), 'utf8'), 'accepted in next')
  assert.equal(await readFile(join(shallow, 'index.mdx'), 'utf8'), 'accepted in main')
  assert.equal(await readFile(join(origin.folder, 'index.mdx'), 'utf8'), 'one')
})

test('does not merge a branch that is missing, has moved or has no common history', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one' })
  const repository = open(origin.folder)
  assert.deepEqual(await repository.mergeBranch(merge, signal), { kind: 'branch_missing' })
  const commit = await propose(repository, { 'index.mdx': 'two' })
  await origin.git('checkout', '--quiet', branch)
  const moved = await origin.commit({ 'index.mdx': 'three' })
  await origin.git('checkout', '--quiet', '--orphan', 'octavo/orphan-1')
  await origin.commit({ 'index.mdx': 'x' })
  await origin.git('checkout', '--quiet', 'main')
  await rejectsWith(
    repository.mergeBranch({ ...merge, expected: commit }, signal),
    'branch_moved',
    /someone else/,
  )
  const orphan = { ...merge, branch: 'octavo/orphan-1' }
  await rejectsWith(repository.mergeBranch(orphan, signal), 'push_refused', /no commit in common/)
  await rejectsWith(repository.mergeBranch({ ...merge, target: 'nope' }, signal), 'branch_missing', /"nope"/)
  commitOf(await repository.mergeBranch({ ...merge, expected: moved }, signal))
})

test('a branch is open until its commit is in the target, and closed when deleted without a merge', async () => {
  await using origin = await createTestRepository({ 'index.mdx': 'one' })
  const mirrors = join(scratch, String(folders++))
  const repository = open(origin.folder, 'main', mirrors)
  const forge = openLocalForge(repository, (name) => `http://octavo.example/review/${name}`)
  const branches = { branch, target: 'main' }
  const link = `http://octavo.example/review/${branch}`
  const found = () => forge.findPullRequest(branches, signal)
  assert.equal(await found(), null)
  const request = { ...branches, title: 't', body: 'b' }
  await assert.rejects(forge.createPullRequest(request, signal), { name: 'ForgeError', reason: 'refused' })
  const commit = await propose(repository, { 'index.mdx': 'two' })
  const state = () => repository.stateOf({ branch, commit, target: 'main' }, signal)
  assert.equal(await state(), 'open')
  assert.deepEqual(await forge.createPullRequest(request, signal), {
    id: branch,
    link,
    state: 'open',
    text: null,
  })
  assert.deepEqual(await found(), { id: branch, link, state: 'open', text: null })
  // The state relative to the current target is found without fetching history.
  assert.ok((await readdir(mirrors, { recursive: true })).every((name) => !name.includes('-history')))
  const damaged = join(scratch, String(folders++))
  await cp(mirrors, damaged, { recursive: true })
  for (const name of await readdir(damaged, { recursive: true }))
    if (name.endsWith('.git/config')) await writeFile(join(damaged, name), '[')
  const pushed = { branch, commit, target: 'main' }
  assert.equal(await open(origin.folder, 'main', damaged).stateOf(pushed, signal), 'open')
  await repository.deleteBranch({ branch, expected: commit }, signal)
  assert.equal(await state(), 'closed')
  assert.equal(await found(), null)
  await repository.pushBranch({ branch, commit, expected: null }, signal)
  await origin.commit({ 'other.mdx': 'o' })
  assert.equal(await state(), 'open')
  // A merge made with any other tool counts as well.
  await origin.git('merge', '--quiet', '--no-edit', branch)
  assert.equal(await state(), 'merged')
  await repository.deleteBranch({ branch, expected: commit }, signal)
  assert.equal(await state(), 'merged')
  await rm(origin.folder, { recursive: true })
  await assert.rejects(found(), { name: 'ForgeError', reason: 'repository_missing' })
})
