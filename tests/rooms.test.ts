import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isTest, relativeImports, root, sources } from './kit/source-files.ts'

/**
 * Allowed imports of each folder of src/render. A row names only rows above it. `site` is the files at the top of
 * src/render, which assemble a site.
 */
const ROOMS: Record<string, string> = {
  html: '',
  machinery: '',
  versions: '',
  cache: '',
  words: '',
  hosting: 'html machinery versions',
  icons: 'html',
  remote: 'html machinery versions cache',
  tree: 'words',
  api: 'html words tree',
  isolate: 'html words tree',
  links: 'html versions remote',
  components: 'html words icons tree isolate',
  page: 'html api links',
  compile: 'html machinery words tree api page',
  theme: 'html machinery links page',
  bodies: 'html machinery cache words api page compile',
  chrome: 'html machinery words tree icons api links page theme',
  thumbnail: 'html machinery versions cache links page theme',
  fonts: 'html machinery versions remote theme',
  highlight: 'tree theme',
  islands: 'machinery icons tree page compile',
  search: 'html machinery links page chrome',
  child: 'html tree api page compile bodies highlight islands',
  samples: 'page bodies',
  outputs: 'html machinery versions words hosting remote api links page chrome search',
  plan: 'html machinery versions hosting icons remote links page theme bodies chrome thumbnail fonts islands search samples outputs',
  site: 'machinery versions remote links page theme bodies thumbnail search outputs plan',
}

/** Files of each folder that code outside src/render may import. */
const DOORS: Record<string, string> = {
  html: 'addresses encode-path html html-markdown parse-html svg-bytes',
  machinery: 'built-ins own-bundles renderer-version',
  versions: 'blobs content-types manifest manifest-text output-names site-files site-versions',
  cache: 'folder-cache',
  words: 'ui-text',
  remote: 'image-sizes picture-sizes remote-files remote-specs',
  tree: 'built-in-names',
  page: 'body render-input',
  compile: 'compile-repair page-tokens',
  bodies: 'page-bodies page-source',
  search: 'search-index',
  outputs: 'page-list skill-files version-files',
  thumbnail: 'cached-thumbnails thumbnail-list',
  plan: 'build-steps check-anchors plan render-scope',
}
const MAX_ROOM_FILES = 25

test('each src/render folder imports only the folders in its row, all of them listed above it', () => {
  const above = new Set<string>()
  for (const [room, row] of Object.entries(ROOMS)) {
    assert.ok(existsSync(join(root, 'src/render', room)) || room === 'site', `there is no room ${room}`)
    for (const name of row.split(' ').filter(Boolean))
      assert.ok(above.has(name), `${room} names ${name}, whose row is not above it`)
    above.add(room)
  }
  const between = relativeImports()
    .filter(({ file, target }) => roomOf(file) !== null && roomOf(target) !== null && !isTest(file))
    .filter(({ file, target }) => roomOf(file) !== roomOf(target))
  const row = (file: string) => (ROOMS[roomOf(file) ?? ''] ?? '').split(' ')
  const broken = between.filter(({ file, target }) => !row(file).includes(roomOf(target) ?? ''))
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'move the code to where its row allows the import',
  )
  const used = new Set(between.map(({ file, target }) => `${roomOf(file)} ${roomOf(target)}`))
  const idle = Object.entries(ROOMS).flatMap(([room, names]) =>
    names.split(' ').filter((name) => name !== '' && !used.has(`${room} ${name}`)),
  )
  assert.deepEqual(idle, [], 'take it out of the row: nothing is imported from there')
})

test('no src/render folder has more files than the maximum', () => {
  const crowded = Object.keys(ROOMS).filter(
    (room) => sources.filter((file) => !isTest(file) && folderOf(file) === room).length > MAX_ROOM_FILES,
  )
  assert.deepEqual(crowded, [], 'make two rooms of it')
})

test('code outside src/render imports only its public files', () => {
  const entering = relativeImports().filter(
    ({ file, target }) => /^(src|web)\//.test(file) && roomOf(file) === null && roomOf(target) !== null,
  )
  const broken = entering.filter(({ target }) => !isDoor(target))
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'import what DOORS names, or a file at the top',
  )
  const entered = new Set(entering.filter(({ file }) => !isTest(file)).map(({ target }) => target))
  const idle = Object.entries(DOORS).flatMap(([room, names]) =>
    names.split(' ').filter((name) => !entered.has(`src/render/${room}/${name}.ts`)),
  )
  assert.deepEqual(idle, [], 'take these out of DOORS: nothing outside imports them')
})

/** Returns the folder of a file in src/render, `site` for files at its top; null for other files. */
function roomOf(file: string): string | null {
  if (!file.startsWith('src/render/')) return null
  const [, , room = '', name] = file.split('/')
  return name === undefined ? 'site' : room
}

/** Returns the same as `roomOf`, but null for files in subfolders. */
function folderOf(file: string): string | null {
  return file.split('/').length > 4 ? null : roomOf(file)
}

function isDoor(file: string): boolean {
  const [, , , name = ''] = file.split('/')
  const room = folderOf(file)
  if (room === null || room === 'site') return room !== null
  return (DOORS[room] ?? '').split(' ').includes(name.replace(/\.tsx?$/, ''))
}
