import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileMissingError } from './file-tree.ts'
import { createDigestCache, FileChangedError, FolderUnreadableError, openFolderTree } from './folder-tree.ts'
import { openMemoryTree } from './memory-tree.ts'

async function folderWith(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-tree-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const text = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString()

test('lists files by path, without .git, node_modules and .octavo', async () => {
  await using made = await folderWith({
    'docs.json': '{}',
    'a/b.mdx': 'b',
    'a-b.mdx': 'ab',
    'Z.mdx': 'z',
    '.git/config': 'secret',
    'a/node_modules/x/index.js': 'x',
    '.octavo/data': 'x',
  })
  const tree = await openFolderTree(made.folder)
  assert.deepEqual([...tree.files.keys()], ['Z.mdx', 'a-b.mdx', 'a/b.mdx', 'docs.json'])
  assert.deepEqual(tree.files.get('docs.json')?.sizeBytes, 2)
  assert.equal(await text(tree.read('a/b.mdx')), 'b')
  await assert.rejects(tree.read('.git/config'), FileMissingError)
  await assert.rejects(tree.read('a/../docs.json'), FileMissingError)
})

test('the revision depends on the content only', async () => {
  const files = { 'docs.json': '{}', 'a.mdx': 'one' }
  await using one = await folderWith(files)
  await using two = await folderWith(files)
  await using three = await folderWith({ ...files, 'a.mdx': 'two' })
  const first = (await openFolderTree(one.folder)).revision
  assert.match(first, /^content:[0-9a-f]{64}$/)
  assert.equal((await openFolderTree(two.folder)).revision, first)
  assert.notEqual((await openFolderTree(three.folder)).revision, first)
  assert.equal(openMemoryTree(files).revision, first)
})

test('follows symlinks that stay inside the folder and refuses the others', async () => {
  await using outside = await folderWith({ 'secret.txt': 'secret' })
  await using made = await folderWith({ 'real/page.mdx': 'page', '.git/config': 'x' })
  const link = (target: string, path: string) => symlink(target, join(made.folder, path))
  await link('real/page.mdx', 'linked.mdx')
  await link('real', 'alias')
  await link(join(outside.folder, 'secret.txt'), 'secret.txt')
  await link(outside.folder, 'away')
  await link(`${made.folder}/../..`, 'up')
  await link('.git/config', 'git-config')
  await link('nowhere', 'broken')
  await link('loop-b', 'loop-a')
  await link('loop-a', 'loop-b')
  await link('..', 'real/parent')
  const tree = await openFolderTree(made.folder)
  assert.deepEqual([...tree.files.keys()], ['alias/page.mdx', 'linked.mdx', 'real/page.mdx'])
  assert.equal(await text(tree.read('linked.mdx')), 'page')
  assert.equal(await text(tree.read('alias/page.mdx')), 'page')
  assert.deepEqual(tree.refused, [
    { path: 'alias/parent', reason: 'symlink_broken' },
    { path: 'away', reason: 'symlink_outside' },
    { path: 'broken', reason: 'symlink_broken' },
    { path: 'git-config', reason: 'symlink_outside' },
    { path: 'loop-a', reason: 'symlink_broken' },
    { path: 'loop-b', reason: 'symlink_broken' },
    { path: 'real/parent', reason: 'symlink_broken' },
    { path: 'secret.txt', reason: 'symlink_outside' },
    { path: 'up', reason: 'symlink_outside' },
  ])
})

test('refuses a named pipe and still reads the other files', async () => {
  await using made = await folderWith({ 'a.mdx': 'a' })
  execFileSync('mkfifo', [join(made.folder, 'pipe')])
  const tree = await openFolderTree(made.folder)
  assert.deepEqual([...tree.files.keys()], ['a.mdx'])
  assert.deepEqual(tree.refused, [{ path: 'pipe', reason: 'not_a_file' }])
})

test('refuses to read a file that changed, vanished or became a link after opening', async () => {
  await using outside = await folderWith({ 'secret.txt': 'first' })
  await using made = await folderWith({ 'a.mdx': 'first', 'b.mdx': 'first', 'c.mdx': 'first' })
  const tree = await openFolderTree(made.folder)
  await writeFile(join(made.folder, 'a.mdx'), 'other')
  await rm(join(made.folder, 'b.mdx'))
  await rm(join(made.folder, 'c.mdx'))
  await symlink(join(outside.folder, 'secret.txt'), join(made.folder, 'c.mdx'))
  for (const path of ['a.mdx', 'b.mdx', 'c.mdx']) await assert.rejects(tree.read(path), FileChangedError)
})

test('a large file has the same digest as the same bytes in memory', async () => {
  const large = 'octavo '.repeat(1_500_000)
  await using made = await folderWith({ 'large.bin': large })
  const tree = await openFolderTree(made.folder)
  assert.deepEqual(tree.files, openMemoryTree({ 'large.bin': large }).files)
  assert.equal((await tree.read('large.bin')).length, large.length)
})

test('a missing folder is named in the error', async () => {
  await assert.rejects(openFolderTree('/nowhere/docs'), (error) => {
    assert.ok(error instanceof FolderUnreadableError)
    assert.equal(error.message, 'There is no folder /nowhere/docs. Check the path.')
    return true
  })
  await using made = await folderWith({ 'a.mdx': 'a' })
  await assert.rejects(openFolderTree(join(made.folder, 'a.mdx')), /is not a folder/)
})

test('reopening a folder with its digest cache detects changed and renamed files', async () => {
  await using made = await folderWith({ 'old.mdx': 'one', 'new.mdx': 'one', 'moved.mdx': 'three' })
  const old = new Date(Date.now() - 60_000)
  for (const name of ['old.mdx', 'new.mdx', 'moved.mdx']) await utimes(join(made.folder, name), old, old)
  const memory = createDigestCache()
  await openFolderTree(made.folder, memory)
  // Same size and same mtime as before: only the ctime of the entry reveals the change.
  await writeFile(join(made.folder, 'new.mdx'), 'two')
  await utimes(join(made.folder, 'new.mdx'), old, old)
  await rename(join(made.folder, 'moved.mdx'), join(made.folder, 'old.mdx'))
  const { revision } = await openFolderTree(made.folder, memory)
  assert.equal(revision, openMemoryTree({ 'new.mdx': 'two', 'old.mdx': 'three' }).revision)
})

test('finds the digest of an unchanged file without reading it', () => {
  const memory = createDigestCache()
  const stamp = { ino: 1n, size: 3n, mtimeNs: 5n, ctimeNs: 5n }
  const entry = { sizeBytes: 3, digest: 'x' }
  memory.remember('/a', stamp, entry)
  assert.deepEqual(memory.find('/a', { ...stamp }), entry)
  for (const name of ['ino', 'size', 'mtimeNs', 'ctimeNs'])
    assert.equal(memory.find('/a', { ...stamp, [name]: 6n }), null, name)
  const now = BigInt(Date.now()) * 1_000_000n
  memory.remember('/a', { ...stamp, ctimeNs: now }, entry)
  assert.equal(memory.find('/a', { ...stamp, ctimeNs: now }), null)
})
