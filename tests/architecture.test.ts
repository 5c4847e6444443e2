/** The rules of the folders, checked on the source text: who may import whom, and what may not appear where. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import {
  domainOf,
  files,
  imports,
  isTest,
  modules,
  packageOf,
  relativeImports,
  root,
  sources,
  text,
  withoutComments,
} from './kit/source-files.ts'

// Rule A. A folder imports only the folders in its row; rows only name rows above them.
const DOMAINS =
  'database objects sandbox queue git model accounts site render feedback analytics webhooks notifications mail assistant hosting export agent automations storage'
const MAY_IMPORT: Record<string, string> = {
  'src/base': '',
  'src/contract': 'base',
  'src/database': 'base contract',
  'src/objects': 'base contract',
  'src/sandbox': 'base contract objects',
  'src/queue': 'base contract database',
  'src/git': 'base contract',
  'src/model': 'base contract',
  'src/accounts': 'base contract database',
  'src/openapi': '',
  'src/search': '',
  'src/site': 'base contract openapi',
  'src/render': 'base contract openapi search site objects sandbox',
  'src/import': 'base contract site render',
  'src/feedback': 'base contract database',
  'src/analytics': 'base contract database feedback',
  'src/webhooks': 'base contract database queue',
  'src/notifications': 'base contract database',
  'src/mail': 'base contract database accounts notifications',
  'src/assistant': 'base contract database model',
  'src/hosting': 'base contract database objects queue git site render assistant',
  'src/export': 'base contract database objects queue git accounts site render assistant',
  'src/mcp': 'base contract objects render search',
  'src/preview': 'base contract objects git site render hosting',
  'src/agent': 'base contract database objects queue git model sandbox openapi site render',
  'src/automations': 'base contract database queue accounts feedback analytics agent',
  'src/storage':
    'base contract database objects queue git accounts render analytics webhooks notifications mail assistant hosting export agent automations',
  'src/http': `base contract ${DOMAINS} mcp`,
  'src/client': 'base contract',
  'src/app': `base contract ${DOMAINS} mcp http`,
  'src/cli': 'base contract objects site render import export mcp preview client app',
  'web/reader': 'contract openapi search',
  'web/review': 'contract',
  'web/preview': 'contract',
  'web/dashboard': 'base contract client',
}

/** Run in a browser too, so nothing of Node may be in them. */
const BROWSER_SAFE = [
  'src/contract',
  'src/client',
  'src/openapi',
  'src/search',
  'web/reader',
  'web/review',
  'web/preview',
  'web/dashboard',
]
const VAGUE_NAMES = /(^|[-/])(utils?|helpers?|commons?|managers?|misc)([-./]|$)/

/**
 * Lines of each folder without its tests, in hundreds: lowered by whoever makes a folder smaller, raised only with a reason
 * in the commit. There is no bound on a file or a function.
 */
const MAX_LINES: Record<string, number> = {
  'src/base': 2800,
  'src/contract': 12500,
  'src/database': 3500,
  'src/objects': 1500,
  'src/sandbox': 1400,
  'src/queue': 1500,
  'src/git': 6900,
  'src/model': 1700,
  'src/accounts': 6800,
  'src/openapi': 2400,
  'src/search': 1300,
  'src/site': 10200,
  'src/render': 39700,
  'src/import': 6300,
  'src/feedback': 2900,
  'src/analytics': 2600,
  'src/webhooks': 1200,
  'src/notifications': 600,
  'src/mail': 1400,
  'src/assistant': 1100,
  'src/hosting': 5200,
  'src/export': 2400,
  'src/mcp': 1300,
  'src/preview': 900,
  'src/agent': 14200,
  'src/automations': 1900,
  'src/storage': 1800,
  'src/http': 8300,
  'src/client': 600,
  'src/app': 6300,
  'src/cli': 5100,
  'web/reader': 8000,
  'web/review': 1000,
  'web/preview': 400,
  'web/dashboard': 36100,
}
/** A budget that is further above its folder is to be lowered. */
const MOST_UNUSED = 300

/** Default exports that a tool asks for, each with the tool. */
const DEFAULT_EXPORTS: Record<string, string> = {
  'scripts/test-reporter.mjs': "Node's test runner takes a reporter so",
}

test('no folder grows beyond its budget of lines', () => {
  const lines = new Map<string, number>()
  for (const [file, content] of text) {
    const folder = domainOf(file)
    if (folder === null || isTest(file) || !/\.(?:ts|tsx|css)$/.test(file)) continue
    lines.set(folder, (lines.get(folder) ?? 0) + content.split('\n').length - 1)
  }
  const wrong = [...lines].filter(([folder, count]) => {
    const most = MAX_LINES[folder] ?? 0
    return count > most || count < most - MOST_UNUSED
  })
  assert.deepEqual(
    wrong.map(([folder, count]) => `${folder}: ${count} lines of ${MAX_LINES[folder]}`),
    [],
    'take something out, or lower the budget',
  )
})

test('each folder below src and web has a row in the table', () => {
  const missing = [...new Set(sources.map(domainOf))].filter((domain) => !domain || !(domain in MAY_IMPORT))
  assert.deepEqual(missing, [], 'add the folder to MAY_IMPORT and to the table in CONTRIBUTING.md')
})

test('each row of the table is a folder', () => {
  const folders = [...new Set(sources.map(domainOf))].filter((folder) => folder !== null).sort()
  assert.deepEqual(Object.keys(MAY_IMPORT).sort(), folders, 'take the row out: there is no such folder')
  assert.deepEqual(
    BROWSER_SAFE.filter((folder) => !folders.includes(folder)),
    [],
  )
})

test('the table has no cycles: each row names only rows above it', () => {
  const above = new Set<string>()
  for (const [folder, row] of Object.entries(MAY_IMPORT)) {
    for (const name of row.split(' ').filter(Boolean)) {
      assert.ok(above.has(`src/${name}`), `${folder} names ${name}, whose row is not above it`)
    }
    above.add(folder)
  }
})

test('a folder imports only the folders in its row', () => {
  const broken = relativeImports()
    .filter(({ file }) => domainOf(file) && !isTest(file))
    .filter(({ file, target }) => {
      const from = domainOf(file) ?? ''
      const to = domainOf(target)
      if (to === from) return false
      return !to || !(MAY_IMPORT[from] ?? '').split(' ').includes(to.replace('src/', ''))
    })
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'move the code to where its row allows the import, or hand the thing in as an argument from src/app',
  )
})

test('no import goes in a circle, not even for a type', () => {
  const links = relativeImports().filter(
    ({ file, isDynamic }) => domainOf(file) && !isTest(file) && !isDynamic,
  )
  let left = links
  // What imports nothing that is left, or is imported by nothing that is left, is in no circle.
  for (let size = -1; size !== left.length; ) {
    size = left.length
    const [importers, imported] = [
      new Set(left.map(({ file }) => file)),
      new Set(left.map(({ target }) => target)),
    ]
    left = left.filter(({ file, target }) => importers.has(target) && imported.has(file))
  }
  assert.deepEqual(
    left.map(({ file, target }) => `${file} imports ${target}`),
    [],
    'give what both use a file of its own, or put it into the one that is imported',
  )
})

test('from outside a folder, only its top-level files are visible', () => {
  const broken = relativeImports().filter(({ file, target }) => {
    const to = domainOf(target)
    if (file.startsWith('tests/')) return false
    // tests/rooms.test.ts says what can be seen of src/render.
    return to !== null && to !== domainOf(file) && to !== 'src/render' && target.split('/').length > 3
  })
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'import a file at the top of the folder, and let that file offer what is needed',
  )
})

test('relative imports name files that exist, with their extension', () => {
  const broken = relativeImports().filter(
    // A test may hold a program as text, whose imports are relative to another place.
    ({ file, target }) => !isTest(file) && (!existsSync(join(root, target)) || !/\.\w+$/.test(target)),
  )
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  )
})

test('the environment is read in one place, and who called in another', () => {
  const broken = sources.filter(
    (file) =>
      file.startsWith('src/') &&
      file !== 'src/app/config/config.ts' &&
      file !== 'src/app/operator/caller.ts' &&
      !isTest(file) &&
      /(?<!['"`])\bprocess\.env\b|process\[['"]env/.test(withoutComments(file)),
  )
  assert.deepEqual(broken, [], 'read the setting in src/app/config/config.ts and pass it on')
})

test('what runs in a browser uses nothing of Node', () => {
  const broken = imports.filter(
    ({ file, specifier }) =>
      BROWSER_SAFE.includes(domainOf(file) ?? '') && !isTest(file) && specifier.startsWith('node:'),
  )
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  )
})

test('there are no default exports', () => {
  const broken = modules.filter(
    (file) =>
      !(file in DEFAULT_EXPORTS) &&
      /^export default\b|^export \{[^}]*\bas default\b/m.test(withoutComments(file)),
  )
  assert.deepEqual(broken, [], 'export it by its name')
})

test('there are no barrels', () => {
  const index = files.filter((file) => /(^|\/)index\.[a-z]+$/.test(file))
  assert.deepEqual(
    index,
    [],
    'name the file after what it does; the top level of a folder is its public face',
  )
  const broken = sources.filter((file) => /^export \* from/m.test(withoutComments(file)))
  assert.deepEqual(broken, [], 'import from the file that has the thing')
})

test('files and folders are named in kebab-case, after what they do', () => {
  const shape = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|long\.test|d))?\.[a-z]+$|^\d{4}_[a-z0-9_]+\.sql$/ // migrations are numbered
  assert.deepEqual(
    files.filter((file) => !shape.test(basename(file)) || !/^[a-z0-9/.-]+$/.test(dirname(file))),
    [],
    'use lower-case words joined by hyphens',
  )
  assert.deepEqual(
    files.filter((file) => VAGUE_NAMES.test(file)),
    [],
    'say what is in the file; when no name comes, the code is in the wrong place',
  )
})

// The process that answers holds results: what reads the text of authors, repositories and models is behind the doors
// src/render/site-process.ts and src/features/agent/loop/tool-process.ts, and in the handlers of jobs, which are loaded by a job.
const READS_UNTRUSTED: Readonly<Record<string, string>> = {
  'src/site': 'load-site read-pages frontmatter scan-page spec-* api-spec',
  'src/render': 'build site-work live-site',
  'src/render/bodies': 'body-renderer',
  'src/render/compile': 'compile-*',
  'src/render/highlight': 'highlight*',
  'src/render/search': 'search-*',
  'src/agent':
    'tool-work code-work toolbox check-change page-search find-lines line-pattern agent-loop run-job',
  'src/export': 'build-export',
  'src/hosting': 'publish-deployment',
}
const PARSERS = 'satteri esbuild isolated-vm shiki @shikijs/themes @unocss/core minisearch katex image-size'

test('the process that answers loads nothing that reads untrusted text', () => {
  const cameFrom = allLoadedBy('src/app/node.ts', 'src/http/server.ts')
  assert.ok(cameFrom.size > 200 && cameFrom.has('fastify'), 'the walk has lost its way')
  const guarded = Object.entries(READS_UNTRUSTED).flatMap(([folder, names]) =>
    names.split(' ').map((name) => ({ name, files: globSync(`${folder}/${name}.ts`, { cwd: root }) })),
  )
  const gone = guarded.filter(({ files }) => files.length === 0).map(({ name }) => name)
  assert.deepEqual(gone, [], 'READS_UNTRUSTED names files that no longer exist')
  const behindDoors = new Set([...guarded.flatMap(({ files }) => files), ...PARSERS.split(' ')])
  const broken = [...cameFrom].filter(([file]) => behindDoors.has(file) || behindDoors.has(packageOf(file)))
  assert.deepEqual(
    broken.map(([file, from]) => `${from} imports ${file}`),
    [],
    'let a bounded process do it, or load it with import() in the handler of a job',
  )
})

test('no browser loads the library of schemas', () => {
  const sources = globSync('web/{dashboard,reader,preview,review}/**/*.{ts,tsx}', { cwd: root })
  const cameFrom = allLoadedBy(...sources.filter((file) => !/node_modules|\.test\.tsx?$/.test(file)))
  assert.ok(
    cameFrom.has('src/base/api/form-choices.ts') && cameFrom.has('preact'),
    'the walk has lost its way',
  )
  assert.equal(
    cameFrom.get('typebox'),
    undefined,
    'move the value into src/contract/form-*.ts, without schemas',
  )
})

test('the first line of check is there before what renders, serves or stores is loaded', () => {
  const cameFrom = allLoadedBy('src/cli/main.ts', 'src/cli/commands/site/check.ts')
  assert.ok(
    cameFrom.has('src/app/operator/caller.ts') && cameFrom.has('src/cli/annotations.ts'),
    'the walk is lost',
  )
  const broken = [...cameFrom].filter(
    ([file]) =>
      /^src\/(render|site|preview|export|http|database|objects|queue|agent)\/|^[^.]*$/.test(file) &&
      !file.startsWith('node:'),
  )
  assert.deepEqual(
    broken.map(([file, from]) => `${from} imports ${file}`),
    [],
    'load it with import() where the command runs',
  )
})

/** All that is loaded with these files, and which file loads it. */
function allLoadedBy(...files: string[]): Map<string, string | null> {
  const cameFrom = new Map<string, string | null>(files.map((file) => [file, null]))
  for (const file of cameFrom.keys())
    for (const next of loadedBy(file)) if (!cameFrom.has(next)) cameFrom.set(next, file)
  return cameFrom
}

/** Files and packages that are loaded with a file: neither types nor what an `import()` loads later. */
function loadedBy(file: string): string[] {
  if (!text.has(file)) return []
  const pattern = /(?:^|[;\n])\s*(?:import|export)\s(?!type\s)(?:[^;'"`]*?from\s*)?['"]([^'"\n]+)['"]/g
  return [...withoutComments(file).matchAll(pattern)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
  )
}
