/** What of git is read and written without a process of git, held against git. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { git } from '../../src/git/git.ts'
import { MissingObjectError } from '../../src/git/git-error.ts'
import { findObject, readObject } from '../../src/git/mirror-objects.ts'
import { createPushable, openFolder, signal, write } from './project-scene.ts'

test('a commit that is written, what it changes and its files cost no process of git', async () => {
  await using repository = await createPushable({ 'docs/index.mdx': 'one' })
  const project = openFolder(repository.folder)
  const { commit: first } = await project.fetchTarget(signal)
  const started: string[] = []
  const watch = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process
    child.once('exit', () => started.push(child.spawnargs.slice(1).join(' ')))
  }
  subscribe('child_process', watch)
  try {
    for (const text of ['two', 'three']) {
      const { commit: parent } = await project.fetchTarget(signal)
      assert.equal(parent, first)
      const commit = await write(project, parent, { 'docs/index.mdx': text, 'docs/new.mdx': text })
      assert.equal((await project.changedFiles(parent, commit, signal)).length, 2)
      assert.equal(await project.readFile(commit, 'docs/new.mdx', 100, signal), text)
      await project.pushBranch({ branch: `octavo/${text}`, commit, expected: null }, signal)
    }
    await repository.git('pack-refs', '--all')
    for (const text of ['two', 'three'])
      assert.equal(await repository.git('show', `octavo/${text}:docs/new.mdx`), text)
    await repository.git('fsck', '--strict', '--no-dangling')
    assert.equal((await project.fetchTarget(signal)).commit, first)
    assert.deepEqual(
      started.filter((args) => !/ls-remote|push|config --list|^(pack-refs|show|fsck)/.test(args)),
      [],
      'but for one that is asked for objects, and stays',
    )
  } finally {
    unsubscribe('child_process', watch)
  }
})

test('of the processes that are asked for objects few stay, however many repositories there are', async () => {
  await using repository = await createPushable({ 'docs/index.mdx': 'one' })
  const commit = await repository.git('rev-parse', 'HEAD')
  const copies = Array.from({ length: 70 }, (_, number) => join(repository.folder, `copy-${number}.git`))
  for (const copy of copies) await cp(join(repository.folder, '.git'), copy, { recursive: true })
  const ended: Promise<unknown>[] = []
  const watch = (message: unknown) => {
    ended.push(once((message as { process: ChildProcess }).process, 'exit'))
  }
  subscribe('child_process', watch)
  try {
    for (const gitDir of [...copies, ...copies.slice(0, 1)])
      assert.equal((await findObject({ gitDir, address: gitDir }, commit))?.type, 'commit')
    assert.equal(ended.length, 71, 'the first copy had to be opened again')
    await Promise.all(ended.slice(0, 5))
  } finally {
    unsubscribe('child_process', watch)
  }
})

test('a small object that was read is not asked for again; whether it is still there is', async () => {
  await using repository = await createPushable({ 'docs/index.mdx': 'one' })
  const call = { gitDir: join(repository.folder, '.git'), address: repository.folder }
  const id = await repository.git('rev-parse', 'HEAD:docs/index.mdx')
  assert.equal((await readObject(call, id, 'blob')).toString(), 'one')
  await rm(join(call.gitDir, 'objects', id.slice(0, 2), id.slice(2)))
  assert.equal((await readObject(call, id, 'blob')).toString(), 'one')
  await assert.rejects(readObject(call, id, 'tree'), MissingObjectError)
  assert.equal(await findObject(call, id), null)
  const other = join(repository.folder, 'copy.git')
  await cp(call.gitDir, other, { recursive: true })
  await assert.rejects(readObject({ ...call, gitDir: other }, id, 'blob'), MissingObjectError)
})

test('a repository that keeps its branches otherwise is asked through git', async () => {
  await using repository = await createPushable({ 'docs/index.mdx': 'one' })
  const commit = await repository.git('rev-parse', 'HEAD')
  await repository.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
  assert.equal(await openFolder(repository.folder).findBranch('alias', signal), commit)
  await repository.git('config', 'transfer.hideRefs', 'refs/heads/main')
  assert.equal(await openFolder(repository.folder).findBranch('main', signal), null, 'hidden')
  await repository.git('config', '--unset', 'transfer.hideRefs')
  await using away = await createPushable({ 'docs/index.mdx': 'one' })
  await away.git('worktree', 'add', '--quiet', '-b', 'beside', join(away.folder, 'beside'))
  const { branch } = await openFolder(join(away.folder, 'beside')).fetchTarget(signal)
  assert.equal(branch, 'beside')
})

test('what is written is what git writes', async () => {
  await using repository = await createPushable({
    'a.mdx': 'a',
    'a/b.mdx': 'b',
    'a-c.mdx': 'c',
    'ü/d.mdx': 'd',
  })
  const project = openFolder(repository.folder)
  const { commit: parent } = await project.fetchTarget(signal)
  const at = new Date('2026-01-02T03:04:05Z')
  const author = { name: '."A <b> C,', email: '<a@example.com>.' }
  const changes = new Map([
    ['a/b.mdx', 'two\r\n'],
    ['a.b/e.mdx', 'e'],
  ])
  const message = 'Say ü\n\nwithout an end of line'
  const commit = await project.writeCommit({ parent, changes, message, author, at }, signal)
  for (const [path, text] of changes) {
    await mkdir(dirname(join(repository.folder, path)), { recursive: true })
    await writeFile(join(repository.folder, path), text)
  }
  await repository.git('add', '--all')
  const tree = await repository.git('write-tree')
  const messageFile = join(repository.folder, 'message')
  await writeFile(messageFile, message)
  const identity = { ...author, at }
  const args = ['commit-tree', tree, '-p', parent, '-p', parent, '-F', messageFile]
  const byGit = await git(args, { gitDir: join(repository.folder, '.git'), identity })
  assert.equal(commit, byGit.toString().trim())
})
