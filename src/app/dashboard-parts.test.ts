import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metafile } from 'esbuild'
import { joinParts } from './dashboard-parts.ts'

const MOST_SHARED = 5

/** Pages of letters: each pair of neighbours shares a module, and all come after the first one. */
function siteOf(shared: Record<string, string>): Metafile {
  const outputs: Metafile['outputs'] = {}
  const add = (
    path: string,
    entryPoint: string | undefined,
    imports: string[],
    module: string,
    bytes: number,
  ) => {
    outputs[path] = {
      bytes,
      ...(entryPoint === undefined ? {} : { entryPoint }),
      inputs: { [module]: { bytesInOutput: bytes } },
      imports: imports.map((one) => ({ path: one, kind: 'import-statement' })),
      exports: [],
    }
  }
  add('first.js', 'first.ts', [], 'first.ts', 1000)
  for (const page of new Set(Object.values(shared).join(''))) {
    const parts = Object.keys(shared).filter((name) => shared[name]?.includes(page))
    add(`${page}.js`, `${page}.tsx`, ['first.js', ...parts.map((name) => `${name}.js`)], `${page}.tsx`, 50)
  }
  for (const name of Object.keys(shared))
    add(`${name}.js`, undefined, ['first.js'], `ui/${name}.tsx`, name.length)
  return { inputs: {}, outputs }
}

test('a page that needs few parts keeps them, and nothing of the first file or its own is moved', () => {
  const joined = joinParts(siteOf({ menu: 'ab', chart: 'bc' }), 'first.ts')
  assert.deepEqual([...joined].sort(), [
    ['a.tsx', ['ui/menu.tsx']],
    ['b.tsx', ['ui/menu.tsx', 'ui/chart.tsx']],
    ['c.tsx', ['ui/chart.tsx']],
  ])
})

test('a crowded page joins what costs others least, and every page keeps all that it needs', () => {
  const names = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg', 'hhhhhhhh']
  const shared = Object.fromEntries(names.map((name, at) => [name, `x${at < 3 ? 'y' : 'z'}`]))
  const joined = joinParts(siteOf(shared), 'first.ts')
  for (const [page, modules] of joined) {
    const needed = names.filter((name) => shared[name]?.includes(page[0] ?? ''))
    for (const name of needed) assert.ok(modules.includes(`ui/${name}.tsx`), `${page} misses ${name}`)
  }
  // Those of `xy` and of `xz` are joined among themselves, which brings nobody anything they do not need.
  assert.equal(joined.get('y.tsx')?.length, 3)
  assert.equal(joined.get('z.tsx')?.length, names.length - 3)
  const sets = new Set(
    (joined.get('x.tsx') ?? []).map((module) =>
      [...joined]
        .filter(([, modules]) => modules.includes(module))
        .map(([page]) => page)
        .join(),
    ),
  )
  assert.ok(sets.size <= MOST_SHARED)
})
