import assert from 'node:assert/strict'
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openPreviewScene, SETTINGS, SITE } from './preview-scene.ts'

const versionIn = (html: string) => /data-version="([0-9a-f]+)"/.exec(html)?.[1]

test('a page has its preview version, which matches the one in the event stream', async () => {
  await using scene = await openPreviewScene()
  const html = await scene.page('/')
  assert.match(html, /Welcome to the/)
  const ears = await scene.listen('/')
  assert.equal(await ears.version(), versionIn(html))
  assert.equal((await scene.get('/_octavo/preview/preview.js')).status, 200)
  await ears.close()
})

test('serves the script of a large navigation to the pages that reference it', async () => {
  const groups = Array.from({ length: 200 }, (_, index) => ({
    group: `Part ${index} of all`,
    pages: ['index'],
  }))
  const docs = JSON.stringify({ ...SETTINGS, navigation: { groups } })
  await using scene = await openPreviewScene({ ...SITE, 'docs.json': docs })
  const [, script = ''] = /<script src="(\/_octavo\/navigation\.[^"]+)">/.exec(await scene.page('/')) ?? []
  const answer = await scene.get(script)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /Part 199 of all/)
})

test('saving a page notifies only the clients that have it open', async () => {
  await using scene = await openPreviewScene()
  const first = await scene.listen('/guides/first')
  const second = await scene.listen('/guides/second')
  const [before, secondVersion] = [await first.version(), await second.version()]
  await scene.write({ 'guides/first.mdx': '---\ntitle: First\n---\n\nOther words.\n' })
  const after = await first.version()
  assert.notEqual(after, before)
  const html = await scene.page('/guides/first')
  assert.match(html, /Other words\./)
  assert.equal(versionIn(html), after)
  assert.equal(versionIn(await scene.page('/guides/second')), secondVersion)
  await Promise.all([first.close(), second.close()])
})

test('follows a file that an editor replaces by renaming a temporary file', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/second')
  await ears.version()
  const place = join(scene.folder, 'guides/second.mdx')
  await writeFile(`${place}~`, '---\ntitle: Second\n---\n\nRenamed into place.\n')
  await rename(`${place}~`, place)
  await ears.version()
  assert.match(await scene.page('/guides/second'), /Renamed into place\./)
  await ears.close()
})

test('a new page is served once the navigation lists it, and returns 404 once it is deleted', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/third')
  const missing = await ears.version()
  assert.equal((await scene.get('/guides/third')).status, 404)
  const pages = [...SETTINGS.navigation.pages, 'guides/third']
  await scene.write({
    'guides/third.mdx': '---\ntitle: Third\n---\n\nThe third words.\n',
    'docs.json': JSON.stringify({ ...SETTINGS, navigation: { pages } }),
  })
  await ears.version()
  await scene.preview.refresh()
  const html = await scene.page('/guides/third')
  assert.match(html, /The third words\./)
  assert.match(await scene.page('/'), /href="\/guides\/third"/)
  await rm(join(scene.folder, 'guides/third.mdx'))
  await scene.write({ 'docs.json': SITE['docs.json'] as string })
  while ((await ears.version()) !== missing);
  assert.equal((await scene.get('/guides/third')).status, 404)
  await ears.close()
})

test('notices a page in newly created nested folders', async () => {
  await using scene = await openPreviewScene()
  const pages = ['index', 'a/b/c/deep']
  await scene.write({ 'docs.json': JSON.stringify({ ...SETTINGS, navigation: { pages } }) })
  await scene.preview.refresh()
  await scene.write({ 'a/b/c/deep.mdx': '---\ntitle: Deep\n---\n\nDeep words.\n' })
  const ears = await scene.listen('/a/b/c/deep')
  while (!(await scene.page('/a/b/c/deep')).includes('Deep words.')) await ears.version()
  await scene.write({ 'a/b/c/deep.mdx': '---\ntitle: Deep\n---\n\nDeeper words.\n' })
  while (!(await scene.page('/a/b/c/deep')).includes('Deeper words.')) await ears.version()
  await ears.close()
})

test('follows a folder that is replaced by another one', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/second')
  await ears.version()
  await rename(join(scene.folder, 'guides'), join(scene.folder, '..', 'away'))
  await scene.write({
    'guides/first.mdx': SITE['guides/first.mdx'] as string,
    'guides/second.mdx': '---\ntitle: Second\n---\n\nOf another folder.\n',
  })
  while (!(await scene.page('/guides/second')).includes('Of another folder.')) await ears.version()
  // The new folder is watched, not the one it replaced.
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nSaved in the other one.\n' })
  while (!(await scene.page('/guides/second')).includes('Saved in the other one.')) await ears.version()
  await ears.close()
})

test('invalid settings keep the last site, and the problem is shown on the page until it is fixed', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/first')
  await ears.version()
  await scene.write({ 'docs.json': (SITE['docs.json'] as string).slice(0, -40) })
  const told = await scene.reported('problems', ({ fresh }) => fresh.some(({ file }) => file === 'docs.json'))
  assert.ok(told)
  assert.match(await scene.page('/guides/first'), /The first words\./)
  let notes = await ears.notes()
  while (notes.problems.length === 0) notes = await ears.notes()
  assert.equal(notes.problems[0]?.file, 'docs.json')
  // Page changes still take effect.
  await scene.write({ 'guides/first.mdx': '---\ntitle: First\n---\n\nWritten meanwhile.\n' })
  await ears.version()
  assert.match(await scene.page('/guides/first'), /Written meanwhile\./)
  await scene.write({ 'docs.json': JSON.stringify({ ...SETTINGS, name: 'Mended' }) })
  await scene.reported('problems', ({ solved }) => solved > 0)
  while (notes.problems.length > 0) notes = await ears.notes()
  assert.match(await scene.page('/guides/first'), /Mended/)
  await ears.close()
})

test('a folder without settings shows the reason, and the site as soon as there is one', async () => {
  await using scene = await openPreviewScene({ 'index.mdx': '---\ntitle: Home\n---\n\nText.\n' })
  const none = await scene.get('/')
  assert.equal(none.status, 503)
  assert.match(await none.text(), /There is no site to show yet[\s\S]*docs\.json/)
  const ears = await scene.listen('/')
  await ears.version()
  const mark = '<img src=x onerror=alert(1)>'
  await scene.write({ 'docs.json': JSON.stringify({ $ref: mark }) })
  await ears.version()
  const refused = await (await scene.get('/')).text()
  assert.match(refused, /points to &lt;img src=x/)
  assert.ok(!refused.includes(mark))
  await scene.write({ 'docs.json': JSON.stringify({ ...SETTINGS, navigation: { pages: ['index'] } }) })
  await ears.version()
  assert.match(await scene.page('/'), /<h1[^>]*>[^<]*Home/)
  await ears.close()
})

test('a page with many errors shows its text and reports the errors', async () => {
  await using scene = await openPreviewScene()
  await scene.page('/guides/second')
  const ears = await scene.listen('/guides/second')
  await ears.notes()
  const broken = '</Card> New words.\n\n'.repeat(80)
  await scene.write({ 'guides/second.mdx': `---\ntitle: Second\n---\n\n${broken}` })
  let notes = await ears.notes()
  while (notes.problems.length === 0) notes = await ears.notes()
  assert.deepEqual([...new Set(notes.problems.map(({ file }) => file))], ['guides/second.mdx'])
  assert.equal((await scene.page('/guides/second')).match(/New words\./g)?.length, 80)
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nNewer words.\n' })
  while (notes.problems.length > 0) notes = await ears.notes()
  assert.match(await scene.page('/guides/second'), /Newer words\./)
  await ears.close()
})

test('changing a snippet updates the pages that import it', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/first')
  await ears.version()
  await scene.write({ 'snippets/part.mdx': 'Another shared sentence.\n' })
  await ears.version()
  assert.match(await scene.page('/guides/first'), /Another shared sentence\./)
  await ears.close()
})

test('changing an image reloads open pages and serves the new image', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/')
  const before = await ears.version()
  const source = /<img[^>]*src="([^"]*dot[^"]*)"/.exec(await scene.page('/'))?.[1] ?? ''
  const old = await scene.get(source)
  assert.match(await old.text(), /fill="red"/)
  assert.match(old.headers.get('content-security-policy') ?? '', /sandbox/)
  await scene.write({ 'images/dot.svg': (SITE['images/dot.svg'] as string).replace('red', 'blue') })
  assert.notEqual(await ears.version(), before)
  const now = await scene.get(source, { 'if-none-match': old.headers.get('etag') ?? '' })
  assert.equal(now.status, 200)
  assert.match(await now.text(), /fill="blue"/)
  const again = await scene.get(source, { 'if-none-match': now.headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
  await ears.close()
})

test('changing the favicon renders the touch icon again', async () => {
  const drawing = (colour: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="${colour}"/></svg>`
  await using scene = await openPreviewScene({ ...SITE, 'favicon.svg': drawing('red') })
  const iconOf = async () => /href="(\/_octavo\/touch-icon[^"]+)"/.exec(await scene.page('/'))?.[1] ?? ''
  const before = await iconOf()
  assert.equal((await scene.get(before)).headers.get('content-type'), 'image/png')
  const shown = scene.reported('shown', ({ changed }) => changed.includes('favicon.svg'))
  await scene.write({ 'favicon.svg': drawing('blue') })
  await shown
  const after = await iconOf()
  assert.notEqual(after, before)
  assert.equal((await scene.get(after)).status, 200)
})

test('after many saves in a row, every open page is served with the last one', async () => {
  await using scene = await openPreviewScene()
  const ears = await Promise.all(['/guides/first', '/guides/second', '/'].map((path) => scene.listen(path)))
  await Promise.all(ears.map((one) => one.version()))
  for (let round = 0; round < 60; round++) {
    const last = round === 59 ? ' The last one.' : ''
    await scene.write({
      'guides/first.mdx': `---\ntitle: First\n---\n\nRound ${round}.${last}\n`,
      'guides/second.mdx': `---\ntitle: Second ${round}\n---\n\nRound ${round}.${last}\n`,
      'index.mdx': `---\ntitle: Home\n---\n\nRound ${round}.${last}\n`,
    })
    if (round % 5 === 0) await Promise.all([scene.page('/guides/first'), scene.page('/guides/second')])
  }
  for (const [place, path] of ['/guides/first', '/guides/second', '/'].entries())
    while (!(await scene.page(path)).includes('The last one.')) await ears[place]?.version()
  assert.deepEqual(
    scene.reports.filter(({ kind }) => kind === 'fault'),
    [],
  )
  await Promise.all(ears.map((one) => one.close()))
})

test('a page that never finishes rendering does not block a later save', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/second')
  const other = await scene.listen('/guides/first')
  await Promise.all([ears.version(), other.version()])
  await scene.write({
    'guides/second.mdx': '---\ntitle: Second\n---\n\n{(() => { while (true) {} })()}\n',
  })
  // The open page is now being rendered.
  await scene.preview.refresh()
  await scene.write({
    'guides/second.mdx': '---\ntitle: Second\n---\n\nAn end.\n',
    'guides/first.mdx': '---\ntitle: First\n---\n\nSeen beside it.\n',
  })
  while (!(await scene.page('/guides/second')).includes('An end.')) await ears.version()
  while (!(await scene.page('/guides/first')).includes('Seen beside it.')) await other.version()
  await Promise.all([ears.close(), other.close()])
})

test('a site folder renamed away and back is reported once and followed again', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/second')
  await ears.version()
  const away = join(dirname(scene.folder), 'elsewhere')
  await rename(scene.folder, away)
  const fault = await scene.reported('fault')
  assert.match(String(fault.error), /There is no folder/)
  assert.match(await scene.page('/guides/second'), /The second words\./, 'what was shown stays')
  assert.equal((await scene.get('/guides/first')).status, 503)
  assert.equal(scene.reports.filter(({ kind }) => kind === 'fault').length, 1)
  await rename(away, scene.folder)
  await scene.preview.refresh()
  assert.match(await scene.page('/guides/first'), /The first words\./)
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nSaved after.\n' })
  while (!(await scene.page('/guides/second')).includes('Saved after.')) await ears.version()
  await ears.close()
})

test('follows a site folder that is deleted and created again', async () => {
  await using scene = await openPreviewScene()
  const ears = await scene.listen('/guides/second')
  await ears.version()
  await rm(scene.folder, { recursive: true })
  await scene.reported('fault')
  await scene.write(SITE)
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nMade anew.\n' })
  while (!(await scene.page('/guides/second')).includes('Made anew.')) await ears.version()
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nSaved in the new one.\n' })
  while (!(await scene.page('/guides/second')).includes('Saved in the new one.')) await ears.version()
  await ears.close()
})

test('a symlink out of the folder is reported and not served', async () => {
  await using scene = await openPreviewScene()
  await writeFile(join(dirname(scene.folder), 'secret.txt'), 'a secret outside')
  await symlink(join(dirname(scene.folder), 'secret.txt'), join(scene.folder, 'leak.txt'))
  const told = await scene.reported('problems', ({ fresh }) => fresh.some(({ file }) => file === 'leak.txt'))
  assert.ok(told)
  const answer = await scene.get('/leak.txt')
  assert.equal(answer.status, 404)
  assert.doesNotMatch(await answer.text(), /a secret outside/)
})
