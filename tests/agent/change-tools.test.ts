import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTools, SITE } from './tool-scene.ts'

test('edit_file replaces one occurrence, and rejects ambiguous, missing or unchanged text', async () => {
  const { use, refused, workspace } = openTools({
    ...SITE,
    'w.md': 'one\r\ntwo\r\none\r\n',
    'bom.md': '\ufeffone\n',
  })
  assert.match(
    await use('edit_file', { path: 'index.mdx', oldText: 'Welcome', newText: 'Hello $& $1' }),
    /1 replacement in "index.mdx" \(line 2\)/,
  )
  assert.match(await workspace.readText('index.mdx'), /^---\ntitle: Hello \$& \$1\n---\nSee/)
  assert.match(
    await refused('edit_file', { path: 'w.md', oldText: 'one', newText: 'x' }),
    /occurs 2 times in "w\.md" \(lines 1, 3\)/,
  )
  await use('edit_file', { path: 'w.md', oldText: 'one\ntwo', newText: '1\n2' })
  assert.equal(await workspace.readText('w.md'), '1\r\n2\r\none\r\n')
  await use('edit_file', { path: 'bom.md', oldText: 'one', newText: 'two' })
  assert.equal(await workspace.readText('bom.md'), '\ufefftwo\n')
  assert.match(
    await refused('edit_file', { path: 'index.mdx', oldText: 'Se [setup](/guides/set-up)', newText: 'x' }),
    /most similar line is 4: "See \[setup\]/,
  )
  assert.match(
    await refused('edit_file', { path: 'guides/setup.mdx', oldText: '## Install\nRun', newText: 'x' }),
    /different spaces or line breaks/,
  )
  assert.match(await refused('edit_file', { path: 'index.mdx', oldText: 'See', newText: 'See' }), /the same/)
  assert.match(await refused('edit_file', { path: 'p.png', oldText: 'PNG', newText: 'x' }), /not a text file/)
  assert.match(await refused('edit_file', { path: 'index.mdx', oldText: 'See', newText: 'a\0b' }), /NUL/)
})

test('edit_file changes the matched text and nothing else', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ', '$', '\\', 'é'), maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(
      word,
      word,
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 3 }),
      word,
      fc.boolean(),
      async (before, after, oldText, newText, all) => {
        const text = before + oldText + after
        const { call, workspace } = openTools({ 'a.md': text })
        const { isError } = await call('edit_file', { path: 'a.md', oldText, newText, all })
        const parts = text.split(oldText)
        const isRight = oldText !== newText && (all || parts.length === 2)
        assert.equal(isError, !isRight)
        assert.equal(await workspace.readText('a.md'), isRight ? parts.join(newText) : text)
      },
    ),
    { numRuns: 500 },
  )
})

test('write_file creates and replaces text files, and rejects tool files and other unsupported paths', async () => {
  const { use, refused, workspace } = openTools()
  assert.match(
    await use('write_file', { path: 'new/page.mdx', text: 'Hi\n' }),
    /Wrote "new\/page\.mdx" \(3 bytes\)[\s\S]*update_navigation/,
  )
  assert.match(
    await use('write_file', { path: 'index.mdx', text: 'Hi\n' }),
    /Replaced "index\.mdx" \(68 bytes before, 3 now\)/,
  )
  for (const [path, words] of [
    ['../out.md', /is outside/],
    ['.github/workflows/ci.yml', /tools/],
    ['package.json', /not a type of file that you can write/],
    ['p.png', /not a type of file that you can write/],
    ['new.md', /not a type of file that you can write/],
    ['INDEX.mdx', /only in case/],
    ['Guides/x.mdx', /only in case/],
    ['index.mdx/x.mdx', /is a file, not a folder/],
  ] as const) {
    assert.match(await refused('write_file', { path, text: 'x' }), words)
  }
  assert.match(await refused('write_file', { path: 'big.mdx', text: 'x'.repeat((1 << 20) + 1) }), /1 MiB/)
  assert.deepEqual([...workspace.changes.keys()], ['new/page.mdx', 'index.mdx'])
})

test('does not replace or delete a file with binary content, whatever its extension', async () => {
  const { refused } = openTools({ ...SITE, 'openapi.json': Buffer.from([1, 0, 2]) })
  assert.match(await refused('write_file', { path: 'openapi.json', text: '{}' }), /not a text file/)
  assert.match(await refused('delete_file', { path: 'openapi.json' }), /not a text file/)
})

test('move_file lists the links, imports and navigation entries to update', async () => {
  const { use, refused, workspace } = openTools({ ...SITE, 'a.pdf': 'PDF' })
  const text = await use('move_file', { from: 'guides/setup.mdx', to: 'start/setup.mdx' })
  assert.match(
    text,
    /3 references must be updated[\s\S]*guides\/index\.mdx:3: \.\/setup\nguides\/index\.mdx:3: setup#install\nindex\.mdx:4: \/guides\/setup\nThe navigation lists it/,
  )
  assert.deepEqual(workspace.changedFiles(), [
    { path: 'guides/setup.mdx', change: 'deleted' },
    { path: 'start/setup.mdx', change: 'added' },
  ])
  assert.match(
    await use('move_file', { from: 'snippets/part.mdx', to: 'snippets/shared.mdx' }),
    /start\/setup\.mdx:5: \/snippets\/part\.mdx/,
  )
  assert.match(await use('move_file', { from: 'old.md', to: 'OLD.mdx' }), /No page links to it/)
  assert.match(await refused('move_file', { from: 'index.mdx', to: 'guides/index.mdx' }), /already/)
  assert.match(await refused('move_file', { from: 'index.mdx', to: '/index.mdx' }), /same/)
  assert.match(
    await refused('move_file', { from: 'a.pdf', to: 'b.pdf' }),
    /not a type of file that you can write/,
  )
  assert.match(
    await use('move_file', { from: 'p.png', to: 'q.png' }),
    /2 references must be updated[\s\S]*index\.mdx:4: \/p\.png/,
  )
  assert.match(await refused('move_file', { from: 'docs.json', to: 'x.json' }), /is required by the site/)
  assert.match(await refused('move_file', { from: 'index.mdx', to: '.hidden.mdx' }), /tools/)
})

test('delete_file lists the references to the deleted file', async () => {
  const { use, refused, workspace } = openTools({ ...SITE, 'a.pdf': 'PDF' })
  assert.match(
    await use('delete_file', { path: 'guides/setup.mdx' }),
    /Deleted[\s\S]*index\.mdx:4[\s\S]*The navigation lists it/,
  )
  assert.equal(workspace.changes.get('guides/setup.mdx'), null)
  assert.match(await refused('delete_file', { path: 'guides/setup.mdx' }), /no file/)
  assert.match(await refused('delete_file', { path: 'docs.json' }), /is required by the site/)
  assert.match(await refused('delete_file', { path: 'a.pdf' }), /not a type of file that you can write/)
  assert.match(await use('delete_file', { path: 'p.png' }), /guides\/index\.mdx:3: \.\.\/p\.png/)
})

test('update_navigation shows and changes the navigation, and adds only existing pages', async () => {
  const { use, refused, workspace } = openTools()
  assert.equal(
    await use('update_navigation', { operation: 'show' }),
    'the top level of the navigation:\ngroup "Start"\n  index\n  guides/setup',
  )
  assert.match(
    await use('update_navigation', {
      operation: 'add_page',
      page: '/guides/index.mdx',
      within: ['start'],
      after: 'index',
    }),
    /Added "guides\/index"\. Now in Start:\nindex\nguides\/index\nguides\/setup\s+Changed: "docs\.json"/,
  )
  assert.match(
    await workspace.readText('docs.json'),
    /"pages": \["index", "guides\/index", "guides\/setup"\]/,
  )
  assert.match(
    await refused('update_navigation', { operation: 'add_page', page: 'guides/stup', within: ['Start'] }),
    /no page[\s\S]*Did you mean "guides\/setup\.mdx"/,
  )
  assert.match(
    await refused('update_navigation', { operation: 'add_page', page: 'index' }),
    /requires within/,
  )
  assert.match(
    await refused('update_navigation', { operation: 'rename_group', from: ['Start'] }),
    /requires name/,
  )
  assert.match(
    await refused('update_navigation', {
      operation: 'add_page',
      page: 'index',
      within: ['Start'],
      index: 0,
      before: 'x',
    }),
    /one of/,
  )
  assert.match(
    await use('update_navigation', { operation: 'remove_group', from: ['Start'] }),
    /3 pages are no longer in the navigation: "index", "guides\/index"/,
  )
  assert.match(
    await use('update_navigation', { operation: 'add_group', name: 'New', within: [], pages: ['index'] }),
    /group "New" \(1 page\)/,
  )
})
