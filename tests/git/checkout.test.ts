import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { FileMissingError } from '../../src/base/files/file-tree.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { type OpenTreeOptions, openTree } from '../../src/git/checkout.ts'
import { GitError, type GitErrorReason } from '../../src/git/git-error.ts'
import { createTestRepository, SOURCE_ROW } from '../kit/git.ts'

const mirrors = await mkdtemp(join(tmpdir(), 'octavo-mirrors-'))
after(() => rm(mirrors, { recursive: true, force: true }))

const at = (path: string, ref: string, docsFolder = ''): OpenTreeOptions => ({
  projectId: SOURCE_ROW.id,
  source: { kind: 'folder', path, ref, docsFolder },
  mirrorsFolder: mirrors,
})

const text = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString()

async function rejectsWith(opening: Promise<unknown>, reason: GitErrorReason, sentence: RegExp) {
  await assert.rejects(opening, (error) => {
    assert.ok(error instanceof GitError, String(error))
    assert.equal(error.reason, reason, `${error.message} ${error.detail}`)
    assert.match(error.message, sentence)
    return true
  })
}

test('a folder without a ref is read from the working tree', async () => {
  await using repository = await createTestRepository({ 'docs/index.mdx': 'committed' })
  await writeFile(join(repository.folder, 'docs/index.mdx'), 'not committed')
  const source = { kind: 'folder', path: repository.folder, docsFolder: './docs/' } as const
  await using tree = await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder: mirrors })
  assert.equal(await text(tree.read('index.mdx')), 'not committed')
  assert.match(tree.revision, /^content:/)
})

test('a folder with a ref is read at that commit, regardless of the working tree', async () => {
  await using repository = await createTestRepository({ 'docs.json': '{}', 'a/b.mdx': 'first' })
  const first = await repository.git('rev-parse', 'HEAD')
  await repository.git('tag', 'v1')
  await repository.git('tag', '--annotate', '--message=two', 'v1-annotated')
  const second = await repository.commit({ 'a/b.mdx': 'second' })
  await repository.git('branch', 'release/1.x', first)
  await writeFile(join(repository.folder, 'a/b.mdx'), 'third')
  for (const [ref, commit, content] of [
    ['main', second, 'second'],
    ['HEAD', second, 'second'],
    ['refs/heads/main', second, 'second'],
    ['v1', first, 'first'],
    ['v1-annotated', first, 'first'],
    ['release/1.x', first, 'first'],
    [second, second, 'second'],
    [first, first, 'first'],
    [first.slice(0, 9), first, 'first'],
  ] as const) {
    await using tree = await openTree(at(repository.folder, ref))
    assert.equal(tree.revision, commit, ref)
    assert.deepEqual([...tree.files.keys()], ['a/b.mdx', 'docs.json'], ref)
    assert.equal(await text(tree.read('a/b.mdx')), content, ref)
    assert.equal(tree.files.get('docs.json')?.sizeBytes, 2)
    await assert.rejects(tree.read('a'), FileMissingError)
  }
})

test('a ref follows its branch, and a branch takes precedence over a tag of the same name', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'one' })
  await repository.git('tag', 'next')
  await repository.git('checkout', '--quiet', '-b', 'next')
  await repository.commit({ 'index.mdx': 'two' })
  await using before = await openTree(at(repository.folder, 'next'))
  assert.equal(await text(before.read('index.mdx')), 'two')
  await repository.commit({ 'index.mdx': 'three', 'new.mdx': 'new' })
  await using behind = await openTree(at(repository.folder, 'next'))
  assert.deepEqual([...behind.files.keys()], ['index.mdx', 'new.mdx'])
  assert.equal(await text(behind.read('index.mdx')), 'three')
  assert.equal(await text(before.read('index.mdx')), 'two', 'a tree stays as it was opened')
})

test('follows a branch whose history was rewritten', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'one' })
  await (await openTree(at(repository.folder, 'main')))[Symbol.asyncDispose]()
  await repository.git('commit', '--quiet', '--amend', '--message=other')
  await repository.commit({ 'index.mdx': 'two' })
  await using tree = await openTree(at(repository.folder, 'main'))
  assert.equal(await text(tree.read('index.mdx')), 'two')
})

test('the docs folder is the root of the tree, also when the source is a subfolder of the repository', async () => {
  await using repository = await createTestRepository({
    'README.md': 'root',
    'sites/public/docs/docs.json': '{}',
    'sites/public/secret.mdx': 'x',
  })
  await using tree = await openTree(at(repository.folder, 'main', 'sites/public/docs/'))
  assert.deepEqual([...tree.files.keys()], ['docs.json'])
  await using inner = await openTree(at(join(repository.folder, 'sites/public'), 'main', 'docs'))
  assert.deepEqual([...inner.files.keys()], ['docs.json'])
})

test('rejects symbolic links to folders that multiply, in a commit and in a folder', async () => {
  await using repository = await createTestRepository({ 'docs.json': '{}', 'f39/page.mdx': 'page' })
  for (let at = 0; at < 40; at++) {
    await mkdir(join(repository.folder, `f${at}`), { recursive: true })
    for (const name of at < 39 ? ['a', 'b'] : [])
      await symlink(`../f${at + 1}`, join(repository.folder, `f${at}`, name))
  }
  await repository.commit({})
  const sentence = /contains a cycle of symbolic links/
  await assert.rejects(openTree(at(repository.folder, 'main')), sentence)
  await assert.rejects(openFolderTree(repository.folder), sentence)
})

test('follows symbolic links only inside the docs folder, in a commit and in a folder', async () => {
  await using repository = await createTestRepository({
    'outside.mdx': 'outside',
    'docs/real/page.mdx': 'page',
    'docs/node_modules/x.js': 'x',
  })
  const links: [string, string][] = [
    ['real/page.mdx', 'linked.mdx'],
    ['real', 'alias'],
    ['alias/page.mdx', 'through.mdx'],
    ['real/../linked.mdx', 'back.mdx'],
    ['../outside.mdx', 'outside.mdx'],
    ['../docs/real/page.mdx', 'in-and-out.mdx'],
    ['/etc/passwd', 'passwd'],
    ['../../../../../etc', 'etc'],
    ['nowhere', 'broken'],
    ['real/page.mdx/more', 'file-as-folder'],
    ['loop-b', 'loop-a'],
    ['loop-a', 'loop-b'],
    ['..', 'real/parent'],
    ['node_modules/x.js', 'skipped'],
  ]
  for (const [target, path] of links) await symlink(target, join(repository.folder, 'docs', path))
  await repository.commit({})
  await using tree = await openTree(at(repository.folder, 'main', 'docs'))
  const files = ['alias/page.mdx', 'back.mdx', 'linked.mdx', 'real/page.mdx', 'through.mdx']
  assert.deepEqual([...tree.files.keys()], files)
  for (const path of files) assert.equal(await text(tree.read(path)), 'page', path)
  const refused = Object.fromEntries(tree.refused.map(({ path, reason }) => [path, reason]))
  assert.deepEqual(refused, {
    'alias/parent': 'symlink_broken',
    broken: 'symlink_broken',
    etc: 'symlink_outside',
    'file-as-folder': 'symlink_broken',
    'in-and-out.mdx': 'symlink_outside',
    'loop-a': 'symlink_broken',
    'loop-b': 'symlink_broken',
    'outside.mdx': 'symlink_outside',
    passwd: 'symlink_outside',
    'real/parent': 'symlink_broken',
    skipped: 'symlink_outside',
  })
  await using folder = await openFolderTree(join(repository.folder, 'docs'))
  // On disk `../docs` leads back into the folder; in a commit, a path that leaves the folder is refused.
  assert.deepEqual([...folder.files.keys()].sort(), [...files, 'in-and-out.mdx'].sort())
})

test('leaves out submodules and invalid file names', async () => {
  await using repository = await createTestRepository({ 'docs.json': '{}' })
  const commit = await repository.git('rev-parse', 'HEAD')
  const blob = await repository.git('rev-parse', 'HEAD:docs.json')
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},module`)
  await repository.git('commit', '--quiet', '--message=module')
  await using tree = await openTree(at(repository.folder, 'main'))
  assert.deepEqual([...tree.files.keys()], ['docs.json'])
  assert.deepEqual(tree.refused, [{ path: 'module', reason: 'not_a_file' }])
  // `git add` cannot create such a tree, but it can be pushed.
  const script = String.raw`{ printf '100644 ..\0'; printf ${hexEscapes(blob)}; printf '100644 ok.mdx\0'; printf ${hexEscapes(blob)}; }`
  const { execFileSync } = await import('node:child_process')
  const treeId = execFileSync('sh', ['-c', `${script} | git hash-object --literally -t tree -w --stdin`], {
    cwd: repository.folder,
  })
  const evil = await repository.git('commit-tree', '-m', 'evil', treeId.toString().trim())
  await repository.git('branch', 'evil', evil)
  await using evilTree = await openTree(at(repository.folder, 'evil'))
  assert.deepEqual([...evilTree.files.keys()], ['ok.mdx'])
  assert.deepEqual(evilTree.refused, [{ path: '..', reason: 'not_a_file' }])
})

test('reports a missing ref, docs folder or repository by name', async () => {
  await using repository = await createTestRepository({ 'docs/index.mdx': 'x', file: 'x' })
  const { folder } = repository
  await rejectsWith(openTree(at(folder, 'nope')), 'ref_missing', /has no branch, tag or commit "nope"\.$/)
  await rejectsWith(openTree(at(folder, 'abcdef1')), 'ref_missing', /"abcdef1"/)
  await rejectsWith(openTree(at(folder, 'ab'.repeat(20))), 'ref_missing', /"abab/)
  await rejectsWith(
    openTree(at(folder, 'main', 'site')),
    'docs_folder_missing',
    /has no folder site at commit/,
  )
  await rejectsWith(openTree(at(folder, 'main', 'file')), 'docs_folder_missing', /has no folder file/)
  await rejectsWith(openTree(at(folder, 'main', '../x')), 'docs_folder_missing', /is not a path inside/)
  await rejectsWith(openTree(at('/nowhere/at/all', 'main')), 'repository_missing', /There is no folder/)
  const plain = await mkdtemp(join(tmpdir(), 'octavo-plain-'))
  try {
    await rejectsWith(openTree(at(plain, 'main')), 'repository_missing', /is not in a git repository/)
  } finally {
    await rm(plain, { recursive: true })
  }
  await using empty = await createTestRepository()
  await rejectsWith(openTree(at(empty.folder, 'main')), 'ref_missing', /"main"/)
})

test('rejects a docs folder that is a symbolic link out of the source', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  await symlink('/etc', join(repository.folder, 'docs'))
  await repository.commit({})
  const source = { kind: 'folder', path: repository.folder, docsFolder: 'docs' } as const
  await rejectsWith(
    openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder: mirrors }),
    'docs_folder_missing',
    /no folder docs/,
  )
  await rejectsWith(openTree(at(repository.folder, 'main', 'docs')), 'docs_folder_missing', /no folder docs/)
})

test('concurrent openings of one repository all read complete trees', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p/${n}.mdx`, `page ${n}\n`]))
  await using repository = await createTestRepository(files)
  const opened = await Promise.all(Array.from({ length: 4 }, () => openTree(at(repository.folder, 'main'))))
  for (const tree of opened) {
    await using one = tree
    const contents = await Promise.all(Object.keys(files).map((path) => text(one.read(path))))
    assert.deepEqual(contents, Object.values(files))
  }
})

test('a damaged mirror is recreated', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const mirrorsFolder = join(mirrors, 'damaged')
  const folder = join(mirrorsFolder, SOURCE_ROW.id)
  const open = () => openTree({ ...at(repository.folder, 'main'), mirrorsFolder })
  const mirror = async () => {
    const name = (await readdir(folder)).find((entry) => entry.endsWith('.git')) ?? ''
    return join(folder, name)
  }
  await (await open())[Symbol.asyncDispose]()
  const damages: (() => Promise<void>)[] = [
    async () => await writeFile(join(await mirror(), 'HEAD'), 'rubbish'),
    async () => await rm(join(await mirror(), 'objects'), { recursive: true }),
    async () => {
      const packs = join(await mirror(), 'objects/pack')
      for (const name of await readdir(packs)) {
        await chmod(join(packs, name), 0o600)
        await writeFile(join(packs, name), 'rubbish')
      }
    },
    async () => {
      const place = await mirror()
      await rm(place, { recursive: true })
      await mkdir(place)
    },
  ]
  for (const damage of damages) {
    await damage()
    await using tree = await open()
    assert.equal(await text(tree.read('index.mdx')), 'x')
  }
  assert.deepEqual((await readdir(folder)).length, 1, 'nothing is left beside the mirror')
})

test('reads large and empty files byte for byte', async () => {
  const large = Array.from({ length: 400_000 }, (_, n) => `line ${n}\r\n\n`).join('')
  await using repository = await createTestRepository()
  await repository.git('config', 'core.autocrlf', 'false')
  await repository.commit({ large, empty: '', newline: '\n', ' spaced name\t.mdx': 'x', 'ünïcödé.mdx': 'ü' })
  await using tree = await openTree(at(repository.folder, 'main'))
  assert.deepEqual([...tree.files.keys()], [' spaced name\t.mdx', 'empty', 'large', 'newline', 'ünïcödé.mdx'])
  const read = await Promise.all(
    ['large', 'empty', 'newline', 'ünïcödé.mdx'].map((path) => text(tree.read(path))),
  )
  assert.deepEqual(read, [large, '', '\n', 'ü'])
})

test('an aborted signal ends opening and reading with its reason', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const stopped = new Error('stopped')
  await assert.rejects(
    openTree({ ...at(repository.folder, 'main'), signal: AbortSignal.abort(stopped) }),
    stopped,
  )
  const controller = new AbortController()
  await using tree = await openTree({ ...at(repository.folder, 'main'), signal: controller.signal })
  controller.abort(stopped)
  await assert.rejects(tree.read('index.mdx'), stopped)
})

function hexEscapes(id: string): string {
  return `'${id.replace(/../g, (pair) => `\\${Number.parseInt(pair, 16).toString(8).padStart(3, '0')}`)}'`
}
