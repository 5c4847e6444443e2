/** Compares commits and refs that Octavo writes and reads itself with the results of git. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { git } from '../../src/git/git.ts'
import { createPushable, openFolder, signal } from './project-scene.ts'

test('resolves symbolic refs, hidden refs and linked worktrees as git does', async () => {
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

test('writes the same commit as git', async () => {
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
