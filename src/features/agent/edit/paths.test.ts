import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openMemoryTree } from '../../../base/files/memory-tree.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { checkNewName, existingPath, isShown, normalizePath } from './paths.ts'

const piece = fc.constantFrom(
  '..',
  '.',
  '',
  '/',
  '//',
  'a',
  'guides',
  'x.mdx',
  '.git',
  '.github',
  'workflows',
  'node_modules',
  '.env',
  '\\',
  '..\\',
  'C:',
  '%2e%2e',
  '\u2025',
  '．．',
  'e\u0301',
  '\0',
  '\n',
  ' ',
  '~',
  'git~1',
  '\u200b',
  '\u202e',
  '\ud800',
  '.octavo',
  '...',
)
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('/')),
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

test('an accepted path is always inside the docs folder and outside the folders of tools', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      let path: string
      try {
        path = normalizePath(text)
      } catch (error) {
        assert.ok(error instanceof ToolRefusal)
        return
      }
      assert.ok(posix.join('/docs', path) === '/docs' || posix.join('/docs', path).startsWith('/docs/'))
      assert.ok(
        !path.startsWith('/') && !path.includes('\\') && !/[\p{Cc}]/u.test(path) && path.isWellFormed(),
      )
      assert.equal(path, path.normalize('NFC'))
      for (const name of path === '' ? [] : path.split('/')) {
        assert.ok(name !== '' && !name.startsWith('.') && name.toLowerCase() !== 'node_modules', path)
      }
      assert.equal(normalizePath(path), path)
    }),
    { numRuns: 5000 },
  )
})

test('normalizes equivalent spellings of a path', () => {
  for (const [text, path] of [
    ['guides/x.mdx', 'guides/x.mdx'],
    ['./guides//x.mdx', 'guides/x.mdx'],
    ['/guides/x.mdx', 'guides/x.mdx'],
    ['guides/a/../x.mdx', 'guides/x.mdx'],
    ['guides/', 'guides'],
    ['.', ''],
    ['', ''],
    ['cafe\u0301.mdx', 'caf\u00e9.mdx'],
  ] as const) {
    assert.equal(normalizePath(text), path)
  }
})

const base = openMemoryTree({
  'a.mdx': 'x',
  'guides/x.mdx': 'x',
  'p.png': 'x',
  '.env': 'x',
  'nam\ne.mdx': 'x',
})

test('rejects a new file that differs in case only or collides with an existing file or folder', () => {
  const tree = openMemoryTree({ 'Guides/Setup.mdx': 'x', 'caf\u00e9.mdx': 'x', 'a.md/b.mdx': 'x' })
  for (const path of [
    'guides/setup.mdx',
    'Guides/setup.mdx',
    'guides/new.mdx',
    'CAF\u00c9.mdx',
    'Guides/Setup.mdx/x.md',
    'a.md',
    'A.md/c.mdx',
  ]) {
    assert.throws(() => checkNewName(tree, path), ToolRefusal, path)
  }
  checkNewName(tree, 'Guides/new.mdx')
  checkNewName(tree, 'guides.mdx')
  checkNewName(tree, 'Guides/setup.mdx', 'Guides/Setup.mdx')
})

for (const name of [
  'con.mdx',
  'NUL.md',
  'a:b.mdx',
  'a?.mdx',
  'a#b.mdx',
  '-rf.mdx',
  'x.mdx ',
  'git~1.md',
  'a\u200bb.mdx',
  'a\u202eb.mdx',
  `${'a'.repeat(200)}.mdx`,
  'a\u2028b.mdx',
  '%2e%2e.mdx',
  '$(x).md',
  '`x`.md',
]) {
  test(`rejects a new file named ${JSON.stringify(name).slice(0, 30)}`, () => {
    assert.throws(() => checkNewName(base, name), ToolRefusal)
  })
}

test('rejects a path longer than 400 characters', () => {
  const long = `${'a/'.repeat(198)}b.mdx`
  assert.equal(normalizePath(long.slice(2)), long.slice(2))
  assert.throws(() => normalizePath(long), /longer than 400 characters/)
})

test('rejects a missing file with the closest match, and a folder with its own reason', () => {
  assert.equal(existingPath(base, '/a.mdx'), 'a.mdx')
  assert.throws(() => existingPath(base, 'guide/x.mdx'), /Did you mean "guides\/x.mdx"/)
  assert.throws(() => existingPath(base, 'guides'), /is a folder/)
  assert.throws(() => existingPath(base, '.env'), /is used by tools/)
  assert.throws(() => existingPath(base, 'zzz-zzz-zzz.mdx'), /list_files/)
  const old = openMemoryTree({ 'cafe\u0301.mdx': 'x' })
  assert.equal(existingPath(old, 'caf\u00e9.mdx'), 'cafe\u0301.mdx')
})

test('hides files with dotted or misleading names', () => {
  assert.deepEqual([...base.files.keys()].filter(isShown), ['a.mdx', 'guides/x.mdx', 'p.png'])
})
