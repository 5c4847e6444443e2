/** Documents and package.json match the sources. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OPTIONS } from '../src/app/config/config-options.ts'
import {
  domainOf,
  files,
  imports,
  isTest,
  packageOf,
  root,
  sources,
  text,
  withoutComments,
} from './kit/source-files.ts'

const decisions = globSync('docs/adr/*.md', { cwd: root }).sort()
const settings: ReadonlySet<string> = new Set(Object.values(OPTIONS).map(({ env }) => env))
const dependencies = [
  ...new Set(
    globSync(['package.json', 'src/package.json', 'web/*/package.json', 'tests/*/package.json'], {
      cwd: root,
    }).flatMap((file) => {
      const { dependencies, devDependencies } = JSON.parse(readText(file))
      return Object.keys({ ...dependencies, ...devDependencies })
    }),
  ),
]

/** Files that use each dependency. */
const uses = new Map(dependencies.map((name) => [name, usesOf(name)]))

test('files and folders named in documents exist', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'MAINTAINERS.md',
    'docs/journeys.md',
    ...decisions,
  ]
  const named = documents.flatMap((file) =>
    [...readText(file).matchAll(/`((?:src|web|tests|scripts|bin|bench|deploy|docs)\/[\w./-]*)`/g)].map(
      ([, name = '']) => ({ file, name }),
    ),
  )
  assert.ok(named.filter(({ file }) => file === 'docs/journeys.md').length > 10, 'the journeys name no files')
  const gone = named.filter(({ name }) => !existsSync(join(root, name)))
  assert.deepEqual(
    gone.map(({ file, name }) => `${file} names ${name}`),
    [],
  )
})

test('settings named in files of deploy/ exist', () => {
  for (const file of globSync('deploy/**', { cwd: root }).filter((path) =>
    statSync(join(root, path)).isFile(),
  ))
    for (const [name] of readText(file).matchAll(/\b(?:OCTAVO_[A-Z0-9_]+|DATABASE_URL)\b/g))
      assert.ok(settings.has(name), `${file} names ${name}`)
})

test('there are at most 30 decision records, each with the four required sections', () => {
  assert.ok(decisions.length <= 30, `${decisions.length} pages: rewrite one instead of adding another`)
  for (const file of decisions) {
    const parts = [...readText(file).matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    const missing = ['Context', 'Choice', 'Cost', 'What would change our mind'].filter(
      (part) => !parts.includes(part),
    )
    assert.deepEqual(missing, [], `${file} lacks these parts`)
  }
})

test('the folder table in CONTRIBUTING.md has one row for each source folder', () => {
  const rows = [...readText('CONTRIBUTING.md').matchAll(/^\| `((?:src|web)(?:\/[\w-]+)+)` \|/gm)]
  const folders = new Set(sources.map(domainOf))
  assert.deepEqual(rows.map(([, folder]) => folder).sort(), [...folders].sort())
})

test('docs/adr/dependencies.md lists where each dependency is used', () => {
  const lines = [...readText('docs/adr/dependencies.md').matchAll(/^\| (`[^|]*) \| (`[^|]*) \| \S/gm)]
  const said = new Map(
    lines.flatMap(([, names = '', folders = '']) =>
      ticked(names).map((name) => [name, ticked(folders).sort().join(', ')] as const),
    ),
  )
  const used = new Map(
    dependencies
      .map((name) => [name, foldersUsing(name).join(', ')] as const)
      .filter(([, folders]) => folders !== ''),
  )
  assert.deepEqual([...said].sort(), [...used].sort(), 'docs/adr/dependencies.md says otherwise')
})

test('each dependency is used', () => {
  const needed = new Set(dependencies.filter((name) => uses.get(name)?.length))
  // A package is also needed as the types or as a peer dependency of a used package.
  for (const name of [...needed, 'node']) {
    needed.add(`@types/${name}`)
    const { peerDependencies, dependencies } = manifestOf(name)
    // `dependencies`: package.json may pin a dependency of an installed package.
    for (const other of Object.keys({ ...peerDependencies, ...dependencies })) needed.add(other)
  }
  assert.deepEqual(
    dependencies.filter((name) => !needed.has(name)),
    [],
    'nothing imports or names these: take them out of package.json',
  )
})

test('dependencies are pinned to exact versions for an install without a lock file', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, Partial<Record<'dependencies' | 'optionalDependencies', Record<string, string>>>>
  }
  const { dependencies = {}, optionalDependencies = {} } = packages[''] ?? {}
  const named = { ...dependencies, ...optionalDependencies }
  const brought = Object.keys(named).flatMap((name) => {
    const { dependencies, optionalDependencies } = packages[`node_modules/${name}`] ?? {}
    return Object.entries({ ...dependencies, ...optionalDependencies }).filter(([other]) => !(other in named))
  })
  const floating = [...Object.entries(named), ...brought].filter(
    ([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
  )
  assert.deepEqual(floating, [], 'pin them in package.json')
})

function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function ticked(part: string): string[] {
  return [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

/** Returns the files that import a package, run it, or quote its name, as is done to resolve one of its files. */
function usesOf(name: string): string[] {
  const importing = imports.filter(({ specifier }) => packageOf(specifier) === name).map(({ file }) => file)
  if (importing.length > 0) return importing
  if (isProgramOf(name)) return ['scripts/check.mjs']
  const quoted = new RegExp(`['"\`]${name.replaceAll('.', '\\.')}(?:/[^'"\`\n]*)?['"\`]`)
  return files.filter((file) => quoted.test(withoutComments(file)))
}

/**
 * Returns the folders in src and web that use a package outside of tests, or only `src` or `web` if there are more than
 * three. A package used elsewhere belongs to `tests`, `scripts` etc.
 */
function foldersUsing(name: string): string[] {
  const using = uses.get(name) ?? []
  const inside = new Set(
    using
      .filter((file) => !isTest(file))
      .map(domainOf)
      .filter((folder) => folder !== null),
  )
  if (inside.size === 0)
    return [...new Set(using.map((file) => (isTest(file) ? 'tests' : (file.split('/')[0] ?? ''))))].sort()
  const tops = Map.groupBy(inside, (folder) => folder.split('/')[0] ?? '')
  return [...tops].flatMap(([top, folders]) => (folders.length > 3 ? [top] : folders)).sort()
}

/** Finds `program('biome')` in scripts/check.mjs. */
function isProgramOf(name: string): boolean {
  const { bin = {} } = manifestOf(name)
  const programs = typeof bin === 'string' ? [name.split('/').pop()] : Object.keys(bin)
  return programs.some((one) => (text.get('scripts/check.mjs') ?? '').includes(`program('${one}')`))
}

/** Returns an empty manifest for a package that is not installed. */
function manifestOf(
  name: string,
): Partial<Record<'peerDependencies' | 'dependencies', object>> & { bin?: string | object } {
  const file = [`node_modules/${name}/package.json`, `tests/clients/node_modules/${name}/package.json`].find(
    (path) => existsSync(join(root, path)),
  )
  return file === undefined ? {} : JSON.parse(readText(file))
}
