import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { PermanentError } from '../../src/base/errors/permanent-error.ts'
import { git } from '../../src/git/git.ts'
import { createTestRepository, SOURCE_ROW } from '../kit/git.ts'
import {
  createPushable,
  freshMirrors,
  openFolder,
  openUrl,
  rejectsForGood,
  serve,
  signal,
  write,
} from './project-scene.ts'

test('the target is the named branch, the checked-out branch or the default branch of the server', async () => {
  await using repository = await createPushable({ 'docs/index.mdx': 'main' })
  await repository.git('tag', 'v1')
  await repository.git('tag', 'both')
  const main = await repository.git('rev-parse', 'HEAD')
  await repository.git('checkout', '--quiet', '-b', 'both')
  const both = await repository.commit({ 'docs/index.mdx': 'both' })
  await using server = await serve(repository)
  const url = `${server.url}/${basename(repository.folder)}`
  for (const open of [
    (ref?: string) => openFolder(repository.folder, ref === undefined ? {} : { ref }),
    (ref?: string) => openUrl(url, ref === undefined ? {} : { ref }),
  ]) {
    assert.deepEqual(await open().fetchTarget(signal), { branch: 'both', commit: both })
    assert.deepEqual(await open('HEAD').fetchTarget(signal), { branch: 'both', commit: both })
    assert.deepEqual(await open('main').fetchTarget(signal), { branch: 'main', commit: main })
    assert.deepEqual(await open('refs/heads/main').fetchTarget(signal), { branch: 'main', commit: main })
    assert.deepEqual(await open('both').fetchTarget(signal), { branch: 'both', commit: both }, 'not the tag')
    await rejectsForGood(open('v1').fetchTarget(signal), /"v1" is a tag .* changes require a branch/)
    await rejectsForGood(open(main).fetchTarget(signal), /Changes require a branch, not a commit/)
    await rejectsForGood(open('nope').fetchTarget(signal), /has no branch "nope"/)
    assert.equal(await open().fetchBranch('main', signal), main)
    assert.equal(await open().fetchBranch('nope', signal), null)
    assert.equal(await open().fetchBranch('v1', signal), null, 'a tag is no branch')
  }
  await repository.git('checkout', '--quiet', '--detach')
  await rejectsForGood(openFolder(repository.folder).fetchTarget(signal), /No branch is checked out/)
})

test('a commit contains only the changes and has the same id wherever it is written', async () => {
  await using repository = await createPushable({
    'README.md': 'root',
    'docs/index.mdx': 'one',
    'docs/guides/a.mdx': 'a',
    'docs/guides/deep/b.mdx': 'b',
    'docs/run.sh': '#!/bin/sh',
    'src/code.ts': 'code',
  })
  await repository.git('update-index', '--chmod=+x', 'docs/run.sh')
  await repository.git('commit', '--quiet', '--message=mode')
  await using server = await serve(repository)
  const local = openFolder(join(repository.folder, 'docs'))
  const remote = openUrl(`${server.url}/${basename(repository.folder)}`, { docs: 'docs' })
  assert.equal(local.docsFolder, 'docs')
  const changes = {
    'index.mdx': 'two ü\r\n',
    'new/place/c.mdx': 'c',
    'guides/deep/b.mdx': null,
    'guides/a.mdx': null,
    'run.sh': '#!/bin/sh\nexit',
    'guides.mdx': 'g',
    'absent.mdx': null,
  }
  const { commit: parent } = await local.fetchTarget(signal)
  await remote.fetchTarget(signal)
  const commit = await write(local, parent, changes)
  assert.equal(await write(remote, parent, changes), commit)
  assert.equal(await write(local, parent, changes), commit, 'again')
  const reversed = Object.fromEntries(Object.entries(changes).reverse())
  assert.equal(await write(openFolder(repository.folder, { docs: 'docs' }), parent, reversed), commit)

  await local.pushBranch({ branch: 'octavo/say-more-1', commit, expected: null }, signal)
  const listed = await repository.git('ls-tree', '-r', '--format=%(objectmode) %(path)', commit)
  assert.deepEqual(listed.split('\n'), [
    '100644 README.md',
    '100644 docs/guides.mdx',
    '100644 docs/index.mdx',
    '100644 docs/new/place/c.mdx',
    '100755 docs/run.sh',
    '100644 src/code.ts',
  ])
  assert.equal(
    await repository.git('log', '-1', '--format=%an %ae %cn %ct %P%n%B', commit),
    [`Octavo octavo@example.com Octavo 1767323045 ${parent}`, 'Say more'].join('\n'),
  )
  await repository.git('fsck', '--strict', '--no-dangling')
  assert.deepEqual(await local.changedFiles(parent, commit, signal), [
    { path: 'guides.mdx', change: 'added' },
    { path: 'guides/a.mdx', change: 'deleted' },
    { path: 'guides/deep/b.mdx', change: 'deleted' },
    { path: 'index.mdx', change: 'modified' },
    { path: 'new/place/c.mdx', change: 'added' },
    { path: 'run.sh', change: 'modified' },
  ])
  await using docs = await local.openDocs(commit, signal)
  assert.equal(Buffer.from(await docs.read('index.mdx')).toString(), 'two ü\r\n')
  assert.deepEqual([...docs.files.keys()], ['guides.mdx', 'index.mdx', 'new/place/c.mdx', 'run.sh'])
})

test('a file can replace an emptied folder, and a folder can replace a deleted file', async () => {
  await using repository = await createTestRepository({ 'a/x.mdx': 'x', b: 'b', c: 'c' })
  const local = openFolder(repository.folder)
  const { commit } = await local.fetchTarget(signal)
  const changed = await write(local, commit, { a: 'file', 'a/x.mdx': null, b: null, 'b/y.mdx': 'y' })
  await using tree = await local.openDocs(changed, signal)
  assert.deepEqual([...tree.files.keys()], ['a', 'b/y.mdx', 'c'])
  const emptied = await write(local, changed, { a: null, 'b/y.mdx': null, c: null })
  await using empty = await local.openDocs(emptied, signal)
  assert.deepEqual([...empty.files.keys()], [])
})

test('rejects paths at or through links and submodules, and reserved names', async () => {
  await using repository = await createTestRepository({
    'outside/x.mdx': 'x',
    'docs/real/page.mdx': 'page',
    'docs/file': 'f',
  })
  await symlink('../outside', join(repository.folder, 'docs/way-out'))
  await symlink('real/page.mdx', join(repository.folder, 'docs/linked.mdx'))
  const submodule = await repository.git('rev-parse', 'HEAD')
  await repository.git('add', '--all')
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${submodule},docs/module`)
  await repository.git('commit', '--quiet', '--message=links')
  const local = openFolder(repository.folder, { docs: 'docs' })
  const { commit } = await local.fetchTarget(signal)
  for (const [path, text] of [
    ['way-out/x.mdx', 'y'],
    ['way-out', 'y'],
    ['way-out', null],
    ['linked.mdx', 'y'],
    ['linked.mdx', null],
    ['linked.mdx/x', 'y'],
    ['module', 'y'],
    ['module/x.mdx', 'y'],
    ['file/x.mdx', 'y'],
    ['real', 'y'],
    ['real', null],
    ['', 'y'],
    ['../outside/x.mdx', 'y'],
    ['real/../../x', 'y'],
    ['/etc/passwd', 'y'],
    ['a//b', 'y'],
    ['a/', 'y'],
    ['./a', 'y'],
    ['.git/config', 'y'],
    ['.GIT/config', 'y'],
    ['.g\u200cit/config', 'y'],
    ['git~1/config', 'y'],
    ['x/.git', 'y'],
    ['.gitmodules', 'y'],
    ['.gitattributes', 'y'],
    ['.github/workflows/x.yml', 'y'],
    ['a\\b', 'y'],
    ['a\0b', 'y'],
    ['a\nb', 'y'],
    ['a\ud800b', 'y'],
  ] as const) {
    await assert.rejects(write(local, commit, { [path]: text }), (error) => {
      assert.ok(error instanceof PermanentError, `${path}: ${error}`)
      assert.match(error.message, /^The file .* cannot be changed: /s, path)
      return true
    })
  }
  await symlink('real', join(repository.folder, 'linked-docs'))
  await repository.commit({})
  const through = openFolder(repository.folder, { docs: 'linked-docs' })
  const target = await through.fetchTarget(signal)
  await rejectsForGood(through.openDocs(target.commit, signal), /has no folder linked-docs/)
  await rejectsForGood(write(through, target.commit, { 'page.mdx': 'y' }), /linked-docs cannot be changed/)
})

test('leaves untouched files unchanged, whatever their names', async () => {
  await using repository = await createTestRepository({ 'docs/index.mdx': 'x' })
  await writeFile(Buffer.from(`${repository.folder}/docs/caf\xe9.mdx`, 'latin1'), 'latin')
  await writeFile(join(repository.folder, 'docs/tab\there "quoted".mdx'), 'odd')
  await repository.commit({})
  const local = openFolder(repository.folder, { docs: 'docs' })
  const { commit } = await local.fetchTarget(signal)
  const changed = await write(local, commit, { 'index.mdx': 'y' })
  await local.pushBranch({ branch: 'octavo/x', commit: changed, expected: null }, signal)
  const names = (at: string) => repository.git('ls-tree', '-r', '-z', '--name-only', at)
  assert.equal(await names(changed), await names(commit))
  assert.deepEqual(await local.changedFiles(commit, changed, signal), [
    { path: 'index.mdx', change: 'modified' },
  ])
})

test('reads text files anywhere in the repository and nothing else', async () => {
  await using repository = await createTestRepository({
    'AGENTS.md': 'Be brief.',
    'sub/[a]*.md': 'star',
    'sub/b.md': 'b',
    'big.md': 'x'.repeat(1001),
    'binary.md': 'a\0b',
  })
  await symlink('AGENTS.md', join(repository.folder, 'link.md'))
  await symlink('sub', join(repository.folder, 'linked'))
  await writeFile(join(repository.folder, 'latin.md'), Buffer.from('caf\xe9', 'latin1'))
  await repository.commit({})
  const local = openFolder(repository.folder, { docs: 'sub' })
  const { commit } = await local.fetchTarget(signal)
  const read = async (path: string) => (await local.readFiles(commit, [path], 1000, signal)).get(path) ?? null
  assert.equal(await read('AGENTS.md'), 'Be brief.')
  assert.equal(await read('sub/[a]*.md'), 'star')
  for (const path of [
    'nope.md',
    'sub',
    'sub/*.md',
    'big.md',
    'binary.md',
    'latin.md',
    'link.md',
    'linked/b.md',
    '../x',
    '/etc/passwd',
    '',
    ':(top)AGENTS.md',
    'AGENTS.md/x',
  ]) {
    assert.equal(await read(path), null, path)
  }
})

test('job commits survive later fetches and are restored after the mirror is lost', async () => {
  await using repository = await createPushable({ 'index.mdx': 'zero', 'other.mdx': 'zero' })
  const mirrorsFolder = freshMirrors()
  const local = openFolder(repository.folder, { mirrorsFolder })
  const { commit: parent } = await local.fetchTarget(signal)
  const written = await write(local, parent, { 'index.mdx': 'mine' })
  const mirror = join(
    mirrorsFolder,
    SOURCE_ROW.id,
    (await readdir(join(mirrorsFolder, SOURCE_ROW.id))).find((name) => name.endsWith('.git')) ?? '',
  )
  const packs = join(mirror, 'objects/pack')
  await repository.commit({ 'index.mdx': 'one', 'other.mdx': 'one' })
  await local.fetchTarget(signal)
  // More than 50 packs make the next fetch repack first; git ignores packs without an index.
  for (let n = 0; n <= 50; n++) await writeFile(join(packs, `pack-${n}.pack`), '')
  await repository.commit({ 'index.mdx': 'two', 'other.mdx': 'two' })
  await local.fetchTarget(signal)
  const real = (await readdir(packs)).filter((name) => name.endsWith('.idx'))
  assert.equal(real.length, 2, 'all that was there in one, and what came')
  await using docs = await local.openDocs(written, signal)
  assert.equal(Buffer.from(await docs.read('index.mdx')).toString(), 'mine')
  assert.equal(Buffer.from(await docs.read('other.mdx')).toString(), 'zero')
  await local.pushBranch({ branch: 'octavo/x', commit: written, expected: null }, signal)
  for (const lose of [
    () => rm(mirror, { recursive: true }),
    () => rm(join(mirror, 'objects'), { recursive: true }),
    () => writeFile(join(mirror, 'HEAD'), 'rubbish'),
  ]) {
    await lose()
    await using old = await local.openDocs(parent, signal)
    assert.equal(Buffer.from(await old.read('index.mdx')).toString(), 'zero')
    await lose()
    assert.equal(await write(local, parent, { 'index.mdx': 'mine' }), written)
    const texts = await local.readFiles(written, ['index.mdx'], 10, signal)
    assert.equal(texts.get('index.mdx'), 'mine')
  }
})

test('rebuilds a mirror with a missing object instead of omitting the file', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x', 'other.mdx': 'y' })
  const mirrorsFolder = freshMirrors()
  const local = openFolder(repository.folder, { mirrorsFolder })
  const { commit } = await local.fetchTarget(signal)
  const mirror = join(
    mirrorsFolder,
    SOURCE_ROW.id,
    (await readdir(join(mirrorsFolder, SOURCE_ROW.id))).find((name) => name.endsWith('.git')) ?? '',
  )
  // Replace the pack by loose objects, without one of the files.
  const packs = join(mirror, 'objects/pack')
  const aside = join(mirrorsFolder, 'aside')
  await rename(packs, aside)
  await mkdir(packs)
  const pack = (await readdir(aside)).find((name) => name.endsWith('.pack')) ?? ''
  const input = await readFile(join(aside, pack))
  await git(['unpack-objects', '-q'], { gitDir: mirror, input })
  const blob = await repository.git('rev-parse', 'HEAD:other.mdx')
  await rm(join(mirror, 'objects', blob.slice(0, 2), blob.slice(2)))
  await using docs = await local.openDocs(commit, signal)
  assert.deepEqual([...docs.files.keys()], ['index.mdx', 'other.mdx'])
  assert.equal(Buffer.from(await docs.read('other.mdx')).toString(), 'y')
})

test('reports a problem with the source in one sentence, whichever call finds it', async () => {
  const plain = await mkdtemp(join(tmpdir(), 'octavo-plain-'))
  try {
    const none = openFolder(plain)
    assert.equal(none.address, plain)
    for (const call of [
      () => none.fetchTarget(signal),
      () => none.openDocs('0'.repeat(40), signal),
      () => write(none, '0'.repeat(40), { a: 'b' }),
      () => none.pushBranch({ branch: 'octavo/x', commit: '0'.repeat(40), expected: null }, signal),
    ]) {
      await rejectsForGood(call(), /is not in a git repository/)
    }
  } finally {
    await rm(plain, { recursive: true })
  }
  await rejectsForGood(openFolder('/nowhere/at/all').fetchTarget(signal), /There is no folder/)
  await using empty = await createTestRepository()
  await rejectsForGood(openFolder(empty.folder).fetchTarget(signal), /has no commits yet/)
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const docs = openFolder(repository.folder, { docs: 'docs' })
  const { commit } = await docs.fetchTarget(signal)
  await rejectsForGood(docs.openDocs(commit, signal), /has no folder docs at commit/)
  await rejectsForGood(docs.openDocs('ab'.repeat(20), signal), /has no branch, tag or commit/)
  await rejectsForGood(
    openFolder(repository.folder, { docs: '../x' }).fetchTarget(signal),
    /not a path inside/,
  )
  await using server = await serve(repository, { token: 'right' })
  const url = `${server.url}/${basename(repository.folder)}`
  await rejectsForGood(openUrl(url, { token: 'wrong' }).fetchTarget(signal), /credentials were rejected/)
  assert.equal((await openUrl(url, { token: 'right' }).fetchTarget(signal)).commit, commit)
  const inAddress = openUrl(url.replace('://', '://me:right@'))
  assert.equal(inAddress.address, url, 'the address is shown without credentials')
  const pushed = { branch: 'octavo/x', commit, target: 'main' }
  await assert.rejects(inAddress.stateOf(pushed, signal), TypeError)
  await assert.rejects(openUrl('http://127.0.0.1:1/x').fetchTarget(signal), {
    name: 'GitError',
    reason: 'repository_unreachable',
  })
})

test('reads branches from a dumb HTTP server', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'one' })
  const commit = await repository.git('rev-parse', 'HEAD')
  await repository.git('branch', 'next')
  await repository.git('update-server-info')
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    readFile(join(repository.folder, '.git', path.replace(/^\/site/, ''))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/site`
    const plain = openUrl(url, { ref: 'next' })
    assert.deepEqual(await plain.fetchTarget(signal), { branch: 'next', commit })
    await using docs = await plain.openDocs(commit, signal)
    assert.deepEqual([...docs.files.keys()], ['index.mdx'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
