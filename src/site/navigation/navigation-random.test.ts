/** Tests randomly nested navigations: every page has a location, regardless of the order of divisions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { NavItem, Site } from '../model.ts'

const NAMES = {
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
} as const
type Kind = keyof typeof NAMES
const KINDS = Object.keys(NAMES) as Kind[]
const LANGUAGES = ['en', 'fr', 'de']

interface Plan {
  kind: Kind
  children: readonly Plan[]
  groups: readonly GroupPlan[]
  isHidden: boolean
}

interface GroupPlan {
  pages: number
  inner: readonly GroupPlan[]
  hasRoot: boolean
  isHidden: boolean
}

const { group } = fc.letrec<{ group: GroupPlan }>((tie) => ({
  group: fc.record({
    pages: fc.integer({ min: 0, max: 3 }),
    inner: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constant<readonly GroupPlan[]>([]),
      fc.array(tie('group'), { maxLength: 2 }),
    ),
    hasRoot: fc.boolean(),
    isHidden: fc.boolean(),
  }),
}))

const { division } = fc.letrec<{ division: Plan }>((tie) => ({
  division: fc.record({
    kind: fc.constantFrom(...KINDS),
    children: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constant<readonly Plan[]>([]),
      fc.array(tie('division'), { maxLength: 3 }),
    ),
    groups: fc.array(group, { minLength: 1, maxLength: 2 }),
    isHidden: fc.boolean(),
  }),
}))

interface Written {
  navigation: Record<string, unknown>
  pages: string[]
}

function write(plan: Plan): Written {
  const pages: string[] = []
  const page = () => {
    pages.push(`p/${pages.length}`)
    return pages.at(-1) as string
  }
  const writeGroup = (one: GroupPlan): unknown => ({
    group: `G${pages.length}`,
    ...(one.hasRoot ? { root: page() } : {}),
    ...(one.isHidden ? { hidden: true } : {}),
    pages: [...Array.from({ length: one.pages }, page), ...one.inner.map(writeGroup)],
  })
  // All choices of a level have the same kind, which no enclosing level has.
  const writeLevel = (one: Plan, used: readonly Kind[]): Record<string, unknown> => {
    const kind = [one.kind, ...KINDS].find(
      (name) => !used.includes(name) && (name !== 'menu' || used.at(-1) === 'tabs'),
    )
    const choices = one.children.slice(0, LANGUAGES.length)
    if (kind === undefined || choices.length === 0) return { groups: one.groups.map(writeGroup) }
    const entries = choices.map((child, index) => ({
      [NAMES[kind]]: kind === 'languages' ? LANGUAGES[index] : `${kind}-${index}`,
      ...(child.isHidden ? { hidden: true } : {}),
      ...writeLevel(child, [...used, kind]),
    }))
    return { [kind]: entries }
  }
  return { navigation: writeLevel(plan, []), pages }
}

async function siteOf({ navigation, pages }: Written): Promise<Site> {
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation }
  const files = Object.fromEntries([...pages, 'spare'].map((path) => [`${path}.mdx`, 'x']))
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings), ...files }))
}

function routesOf(items: readonly NavItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'page') return [item.route]
    if (item.kind === 'link') return []
    return [...(item.root === null ? [] : [item.root]), ...routesOf(item.items)]
  })
}

test('every page of a randomly nested navigation has a route and one placement in a sidebar that lists it', async () => {
  await fc.assert(
    fc.asyncProperty(division, async (plan) => {
      const written = write(plan)
      const site = await siteOf(written)
      assert.deepEqual(
        site.problems.filter(({ level }) => level === 'error'),
        [],
      )
      const sidebars = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
      for (const path of written.pages) {
        const page = site.pages.get(`/${path}`)
        assert.ok(page, path)
        assert.equal(page.placements.length, 1, path)
        const [placement] = page.placements
        const sidebar = sidebars.get(placement?.sidebar ?? '')
        assert.ok(sidebar, path)
        assert.ok(routesOf(sidebar.items).includes(page.route), path)
        assert.equal(page.language, sidebar.language)
        for (const level of sidebar.levels) {
          assert.ok(level.active !== null && level.choices[level.active]?.sidebars.includes(sidebar.id))
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('previous and next links form one chain through each sidebar in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(division, async (plan) => {
      const site = await siteOf(write(plan))
      for (const sidebar of site.sidebars) {
        const placed = [...site.pages.values()].flatMap(({ route, placements }) =>
          placements.filter((one) => one.sidebar === sidebar.id).map((one) => ({ route, ...one })),
        )
        const byRoute = new Map(placed.map((one) => [one.route, one]))
        for (const { route, next, previous } of placed) {
          if (next !== null) assert.equal(byRoute.get(next)?.previous, route)
          if (previous !== null) assert.equal(byRoute.get(previous)?.next, route)
        }
        const walked = placed.filter(({ next, previous }) => next !== null || previous !== null)
        const starts = walked.filter(({ previous }) => previous === null)
        assert.ok(walked.length === 0 || starts.length === 1, sidebar.id)
      }
    }),
    { numRuns: 200 },
  )
})

test('a navigation choice links to a page below it, and hidden pages are not indexed or searchable', async () => {
  await fc.assert(
    fc.asyncProperty(division, async (plan) => {
      const site = await siteOf(write(plan))
      for (const { levels } of site.sidebars) {
        for (const choice of levels.flatMap((level) => level.choices)) {
          if (choice.href === null) continue
          const target = site.pages.get(choice.href)
          assert.ok(
            target?.placements.some(({ sidebar }) => choice.sidebars.includes(sidebar)),
            choice.href,
          )
        }
      }
      for (const page of site.pages.values()) {
        if (page.isHidden && page.placements.length > 0)
          assert.ok(page.noindex && !page.isSearchable, page.route)
      }
    }),
    { numRuns: 200 },
  )
})
