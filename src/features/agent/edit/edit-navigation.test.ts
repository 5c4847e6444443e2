import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openMemoryTree } from '../../../base/files/memory-tree.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { openWorkspace } from '../publish/workspace.ts'
import {
  addGroup,
  addPage,
  collectEdits,
  moveGroup,
  movePage,
  type NavDraft,
  openDraft,
  removeGroup,
  removePage,
  renameGroup,
} from './edit-navigation.ts'
import { allPages, readOutline } from './navigation-outline.ts'

const workspaceOf = (files: Record<string, string | Uint8Array>) =>
  openWorkspace(openMemoryTree(files), new Map())

async function changed(
  files: Record<string, string | Uint8Array>,
  operation: (draft: NavDraft) => Promise<unknown>,
): Promise<Record<string, string>> {
  const workspace = workspaceOf(files)
  const draft = openDraft(workspace)
  await operation(draft)
  assert.equal(workspace.changes.size, 0, 'a draft changes nothing by itself')
  return Object.fromEntries((await collectEdits(draft, workspace.tree)).map(({ file, text }) => [file, text]))
}

// Random navigations: nested divisions and groups; each name and page occurs once.

type Item = string | { group: string; pages: Item[] }
type Nav = { [key: string]: unknown }

const { nav: shape } = fc.letrec<{ nav: Nav; group: Item; items: Item[] }>((tie) => ({
  group: fc.record({
    group: fc.constant('?'),
    icon: fc.constantFrom('a', 'b{["'),
    pages: tie('items'),
  }) as never,
  items: fc.array(fc.oneof({ maxDepth: 4 }, fc.constant('?'), tie('group')), { maxLength: 4 }) as never,
  nav: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'nav' },
    fc.record({ pages: tie('items') }),
    fc.record({ groups: fc.array(tie('group'), { minLength: 1, maxLength: 3 }) }),
    ...(['tabs', 'versions', 'languages', 'anchors', 'products', 'dropdowns'] as const).map((key) =>
      fc
        .array(tie('nav') as fc.Arbitrary<Nav>, { minLength: 1, maxLength: 3 })
        .map((list) => ({ [key]: list.map((one) => ({ [key.slice(0, -1)]: '?', ...one })) })),
    ),
  ) as never,
}))

interface Place {
  labels: string[]
  holder: Nav
}

/** Gives every `?` a unique name, and returns the positions of pages and groups. */
function named(nav: Nav): { nav: Nav; holders: Place[]; groups: Place[]; pages: string[] } {
  const holders: Place[] = []
  const groups: Place[] = []
  const pages: string[] = []
  let count = 0
  const visit = (node: Nav, labels: string[]): void => {
    for (const [key, value] of Object.entries(node)) {
      if (value === '?') node[key] = `${key} ${count++}`
    }
    const own = ['group', 'tab', 'version', 'language', 'anchor', 'product', 'dropdown'].find(
      (key) => key in node,
    )
    const all = own ? [...labels, node[own] as string] : labels
    if (own === 'group') groups.push({ labels: all, holder: node })
    if (Array.isArray(node.pages)) holders.push({ labels: all, holder: node })
    for (const list of Object.values(node)) {
      if (!Array.isArray(list)) continue
      for (const [index, item] of list.entries()) {
        if (item === '?') {
          list[index] = `p/page-${count++}`
          pages.push(list[index])
        } else if (typeof item === 'object') visit(item, all)
      }
    }
  }
  visit(nav, [])
  return { nav, holders, groups, pages }
}

const parents = (nav: unknown, wanted: unknown): { list: unknown[]; index: number } | null => {
  if (typeof nav !== 'object' || nav === null) return null
  if (Array.isArray(nav) && nav.includes(wanted)) return { list: nav, index: nav.indexOf(wanted) }
  for (const value of Object.values(nav)) {
    const found = parents(value, wanted)
    if (found) return found
  }
  return null
}

const pick = <T>(list: readonly T[], seed: number): T | undefined => list[seed % Math.max(1, list.length)]

test('each operation makes its change and keeps the formatting of the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.constantFrom(2, 4, '\t'),
      fc.constantFrom('add', 'move', 'remove', 'addGroup', 'rename', 'moveGroup', 'removeGroup'),
      fc.nat(),
      fc.nat(),
      fc.nat(6),
      async (raw, indent, operation, a, b, index) => {
        const { nav, holders, groups, pages } = named(structuredClone(raw))
        const settings = {
          name: 'A "b" [c] {',
          navigation: nav,
          footer: { links: ['[', '{', { a: '\\"]' }] },
        }
        const files = Object.fromEntries([...pages, 'p/new'].map((page) => [`${page}.mdx`, 'x']))
        const before = `${JSON.stringify(settings, null, indent)}\n`
        const holder = pick(holders, a)
        const page = pick(pages, b)
        const group = pick(groups, b)
        const list = holder?.holder.pages as unknown[] | undefined
        let run: ((draft: NavDraft) => Promise<unknown>) | null = null
        if (operation === 'add' && holder && list) {
          run = (draft) => addPage(draft, 'p/new', { within: holder.labels, index })
        } else if (operation === 'move' && holder && list && page) {
          run = (draft) => movePage(draft, page, undefined, { within: holder.labels, index })
        } else if (operation === 'remove' && page) run = (draft) => removePage(draft, page, undefined)
        else if (operation === 'addGroup' && holder && list) {
          run = (draft) =>
            addGroup(draft, { name: 'New', pages: ['p/new'] }, { within: holder.labels, index })
        } else if (operation === 'rename' && group)
          run = (draft) => renameGroup(draft, group.labels, 'Re"named')
        else if (operation === 'removeGroup' && group) run = (draft) => removeGroup(draft, group.labels)
        else if (operation === 'moveGroup' && group && holder && list) {
          if (holder.labels.join('\n').startsWith(group.labels.join('\n'))) return
          run = (draft) => moveGroup(draft, group.labels, { within: holder.labels, index })
        }
        if (!run) return
        const { 'docs.json': after = '' } = await changed({ ...files, 'docs.json': before }, run)

        // Apply the same operation to the values.
        const drop = (wanted: unknown) => {
          const place = parents(nav, wanted)
          place?.list.splice(place.index, 1)
        }
        if (operation === 'add') list?.splice(index, 0, 'p/new')
        else if (operation === 'addGroup') list?.splice(index, 0, { group: 'New', pages: ['p/new'] })
        else if (operation === 'rename' && group) group.holder.group = 'Re"named'
        else if (operation === 'remove') drop(page)
        else if (operation === 'removeGroup') drop(group?.holder)
        else {
          const moved = operation === 'move' ? page : group?.holder
          drop(moved)
          list?.splice(index, 0, moved)
        }
        assert.equal(after, `${JSON.stringify(settings, null, indent)}\n`)
      },
    ),
    { numRuns: 300 },
  )
})

test('single-line JSON stays on one line and stays valid', async () => {
  const files = { 'docs.json': '{"navigation":{"groups":[{"group":"A","pages":["a","b"]}]}}', 'c.mdx': 'x' }
  const added = await changed(files, (draft) => addPage(draft, 'c', { within: ['A'], before: 'b' }))
  assert.equal(added['docs.json'], '{"navigation":{"groups":[{"group":"A","pages":["a","c", "b"]}]}}')
  const grown = await changed(files, (draft) =>
    addGroup(draft, { name: 'B', pages: ['c'] }, { within: [], index: 0 }),
  )
  assert.equal(
    grown['docs.json'],
    '{"navigation":{"groups":[{"group":"B","pages":["c"]}, {"group":"A","pages":["a","b"]}]}}',
  )
})

test('keeps CRLF line breaks, a byte order mark and single-line lists', async () => {
  const text =
    '\ufeff{\r\n  "navigation": {\r\n    "groups": [\r\n      { "group": "A", "pages": ["a", "b"] }\r\n    ]\r\n  }\r\n}\r\n'
  const after = await changed({ 'docs.json': text }, async (draft) => {
    await addPage(draft, 'c', { within: ['A'], after: 'a' })
    await addGroup(draft, { name: 'B', pages: [] }, { within: [] })
  })
  assert.equal(
    after['docs.json'],
    '\ufeff{\r\n  "navigation": {\r\n    "groups": [\r\n      { "group": "A", "pages": ["a", "c", "b"] },\r\n      {\r\n        "group": "B",\r\n        "pages": []\r\n      }\r\n    ]\r\n  }\r\n}\r\n',
  )
})

const SPLIT = {
  'docs.json': JSON.stringify(
    { navigation: { languages: [{ language: 'en', $ref: './nav/en.json' }, { $ref: 'nav/de.json' }] } },
    null,
    2,
  ),
  'nav/en.json': JSON.stringify(
    {
      tabs: [
        { tab: 'Guides', groups: [{ $ref: '../parts/start.json' }, { group: 'More', pages: ['en/x'] }] },
      ],
    },
    null,
    2,
  ),
  'nav/de.json': JSON.stringify({ language: 'de', groups: [{ $ref: '../parts/start.json' }] }, null, 2),
  'parts/start.json': JSON.stringify({ group: 'Start', pages: ['a', 'b'] }, null, 4),
}

test('edits a $ref part in the file that defines it', async () => {
  const added = await changed(SPLIT, (draft) => addPage(draft, 'c', { within: ['en', 'Guides', 'Start'] }))
  assert.deepEqual(added, {
    'parts/start.json': JSON.stringify({ group: 'Start', pages: ['a', 'b', 'c'] }, null, 4),
  })
  const renamed = await changed(SPLIT, (draft) => renameGroup(draft, ['de', 'Start'], 'Anfang'))
  assert.deepEqual(Object.keys(renamed), ['parts/start.json'])
  const moved = await changed(SPLIT, (draft) =>
    movePage(draft, 'en/x', undefined, { within: ['en', 'Start'], index: 0 }),
  )
  assert.deepEqual(
    Object.entries(moved).map(([file, text]) => [file, JSON.parse(text)]),
    [
      [
        'nav/en.json',
        {
          tabs: [{ tab: 'Guides', groups: [{ $ref: '../parts/start.json' }, { group: 'More', pages: [] }] }],
        },
      ],
      ['parts/start.json', { group: 'Start', pages: ['en/x', 'a', 'b'] }],
    ],
  )
  const removed = await changed(SPLIT, (draft) => removeGroup(draft, ['en', 'Start']))
  assert.deepEqual(Object.keys(removed), ['nav/en.json'])
})

test('creates the missing list of an entry', async () => {
  const text = JSON.stringify({ navigation: { tabs: [{ tab: 'A' }, { tab: 'B', groups: [] }] } }, null, 2)
  const files = { 'docs.json': text }
  const page = await changed(files, (draft) => addPage(draft, 'x', { within: ['A'] }))
  assert.equal(
    page['docs.json'],
    JSON.stringify(
      {
        navigation: {
          tabs: [
            { tab: 'A', pages: ['x'] },
            { tab: 'B', groups: [] },
          ],
        },
      },
      null,
      2,
    ),
  )
  const group = await changed(files, (draft) =>
    addGroup(draft, { name: 'G', pages: ['x'] }, { within: ['A'] }),
  )
  assert.equal(
    group['docs.json'],
    JSON.stringify(
      {
        navigation: {
          tabs: [
            { tab: 'A', groups: [{ group: 'G', pages: ['x'] }] },
            { tab: 'B', groups: [] },
          ],
        },
      },
      null,
      2,
    ),
  )
})

test('an added page is listed in the entry it was added to', async () => {
  const workspace = workspaceOf(SPLIT)
  const draft = openDraft(workspace)
  await addPage(draft, 'new/page', { within: ['en', 'More'] })
  const page = allPages(await readOutline(draft.workspace.tree)).find(({ route }) => route === '/new/page')
  assert.deepEqual(page?.entry.labels, ['en', 'Guides', 'More'])
})

const SIMPLE = {
  'docs.json': JSON.stringify(
    {
      navigation: {
        tabs: [
          {
            tab: 'One',
            groups: [{ group: 'Start', root: 'r', pages: ['a', 'b', { group: 'Deep', pages: ['c'] }] }],
          },
          { tab: 'Two', groups: [{ group: 'Start', pages: ['a'] }] },
        ],
      },
    },
    null,
    2,
  ),
}
const target = (within: string[], more: object = {}) => ({ within, ...more })

for (const [what, operation, words] of [
  [
    'an entry that there is not',
    (d) => addPage(d, 'x', target(['Nope'])),
    /no entry "Nope"[\s\S]*\["One","Start"\]/,
  ],
  [
    'an entry that could be several',
    (d) => addPage(d, 'x', target(['Start'])),
    /several[\s\S]*\["Two","Start"\]/,
  ],
  ['an entry that holds groups', (d) => addPage(d, 'x', target(['One'])), /\["One","Start"\]/],
  ['the top level of the navigation when it holds tabs', (d) => addPage(d, 'x', target([])), /\["One"\]/],
  ['a page that is listed there', (d) => addPage(d, 'b', target(['One', 'Start'])), /already/],
  ['a page in several places', (d) => removePage(d, 'a', undefined), /several times/],
  ['a page that is not listed', (d) => removePage(d, 'zz', undefined), /not listed/],
  ['the page of a group title', (d) => removePage(d, 'r', undefined), /root/],
  [
    'a neighbour that is not in the list',
    (d) => addPage(d, 'x', target(['Deep'], { before: 'a' })),
    /"a" is not in the list/,
  ],
  ['a tab in place of a group', (d) => renameGroup(d, ['One'], 'x'), /not a group/],
  ['a group into itself', (d) => moveGroup(d, ['One', 'Start'], target(['Deep'])), /into itself/],
  [
    'a second group of the same name',
    (d) => addGroup(d, { name: 'Start', pages: [] }, target(['Two'])),
    /already/,
  ],
] as [string, (draft: NavDraft) => Promise<unknown>, RegExp][]) {
  test(`rejects ${what} and says what to do`, async () => {
    await assert.rejects(
      changed(SIMPLE, operation),
      (error) => error instanceof ToolRefusal && words.test(error.message),
    )
  })
}

for (const [what, text, words] of [
  ['comments', '{ // x\n "navigation": { "pages": [] } }', /not valid JSON/],
  ['a missing brace', '{ "navigation": { "pages": []', /not valid JSON/],
  ['no JSON at all', 'name: x', /cannot be read/],
  ['no navigation', '{ "name": "x" }', /no navigation/],
  ['pages that are no list', '{ "navigation": { "pages": "a" } }', /is not a list/],
] as const) {
  test(`rejects a docs.json with ${what} and gives the reason`, async () => {
    await assert.rejects(
      changed({ 'docs.json': text }, (d) => addPage(d, 'x', target([]))),
      words,
    )
  })
}

test('rejects moving a group with a relative $ref to another folder', async () => {
  await assert.rejects(
    changed(SPLIT, (draft) => moveGroup(draft, ['en', 'Start'], target(['de', 'Start']))),
    ToolRefusal,
  )
})
