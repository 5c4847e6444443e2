/** Checks the architecture rules on the source text: allowed imports, file names and restricted APIs. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import {
  domainOf,
  files,
  imports,
  isTest,
  layerOf,
  modules,
  packageOf,
  relativeImports,
  root,
  sources,
  text,
  withoutComments,
} from './kit/source-files.ts'

// Rule A: a layer imports only the layers in its row, and rows only list layers of earlier rows.
const MAY_IMPORT: Record<string, string> = {
  base: '',
  operations: 'base',
  features: 'base operations',
  database: 'base operations features',
  routing: 'base database',
  objects: 'base',
  sandbox: 'base objects',
  queue: 'base features database',
  git: 'base operations',
  model: 'base',
  openapi: '',
  search: '',
  site: 'base openapi',
  render: 'base operations objects sandbox openapi search site',
  accounts: 'base operations features database routing model',
  notifications: 'base operations database accounts',
  feedback: 'base operations database notifications',
  analytics: 'base operations database feedback',
  webhooks: 'base operations database',
  assistant: 'base operations database model feedback analytics',
  agent: 'base operations database routing objects sandbox queue git model openapi site render notifications',
  statements: 'base operations database objects sandbox git model site render agent',
  automations: 'base operations database routing notifications feedback analytics agent statements',
  hosting:
    'base operations database objects queue git site render notifications assistant automations statements',
  export: 'base operations database objects queue git site render notifications assistant',
  mcp: 'base operations objects search render',
  reader: 'base operations database routing objects render hosting mcp',
  projects:
    'base operations features database objects queue render accounts notifications agent statements hosting export',
  storage:
    'base operations database objects render accounts notifications analytics webhooks assistant agent automations hosting export projects',
  dashboard: 'base operations routing feedback analytics agent hosting export projects',
  'accounts/routes': 'base operations database routing model accounts notifications storage',
  'agent/routes': 'base operations routing agent',
  'analytics/routes': 'base operations database routing analytics',
  'assistant/routes': 'base operations database routing analytics assistant',
  'automations/routes': 'base operations database routing model automations',
  'dashboard/routes':
    'base operations routing accounts analytics webhooks assistant agent hosting export projects',
  'export/routes': 'base operations routing export',
  'feedback/routes': 'base operations database routing feedback dashboard',
  'hosting/routes': 'base operations database routing objects accounts hosting projects',
  'notifications/routes': 'base operations database routing accounts notifications',
  'projects/routes':
    'base operations database routing git model accounts feedback assistant agent hosting export projects dashboard',
  'reader/routes':
    'base operations routing objects render feedback analytics assistant hosting export mcp reader',
  'statements/routes': 'operations routing statements',
  'storage/routes': 'base operations database routing accounts storage',
  'webhooks/routes': 'base operations routing webhooks',
  backup: 'base database objects queue',
  import: 'base site render',
  preview: 'base git site render hosting',
  http: 'base operations database routing objects site features accounts feedback agent hosting mcp reader projects dashboard accounts/routes agent/routes analytics/routes assistant/routes automations/routes dashboard/routes export/routes feedback/routes hosting/routes notifications/routes projects/routes reader/routes statements/routes storage/routes webhooks/routes',
  client: 'base operations features',
  app: 'base operations features database objects backup sandbox queue git model accounts notifications feedback analytics webhooks assistant agent automations statements hosting export projects storage http',
  cli: 'base operations backup site render features export statements mcp import preview client app',
  'web/reader': 'base operations openapi search',
  'web/preview': 'base',
  'web/dashboard': 'base operations features client',
}

/** Rule B: files of a feature that other features may import. */
const FEATURE_DOORS: Record<string, string> = {
  accounts:
    'audit/audit-chain audit/name-actors people/invitations people/members people/one-time-links people/setup people/session-memberships people/users settings/instance-settings settings/model-settings settings/server-choices settings/concurrency-limit sign-in/password sign-in/sign-in-cookies sign-in/sign-in-settings sign-in/sign-in-throttle',
  notifications: 'mail/links mail/mail-setup mail/retire-mails record-notification retire-notifications',
  feedback:
    'delete-feedback filters groups intake/events intake/flood-watch intake/intake intake/page-path intake/submission list-feedback overview page-sql search store',
  analytics:
    'asked-questions insights intake/countries intake/limit-keys intake/inbox intake/intake intake/sender-windows intake/visitors range read-counts retire-analytics',
  webhooks: 'clean-up-webhooks read-deliveries',
  assistant: 'assistant store-passages questions retire-questions',
  agent:
    'check/tool-sandboxes code/code-reader find-jobs publish/mask-personal read-work retire-work review/review setup start-job store topic-job',
  automations: 'retire-runs wake-automations',
  statements: 'compare-code describe schedule-checks',
  hosting:
    'access/site-access deploy/deployment-links deploy/read-deployments deploy/retire-versions deploy/store previews/previews serve/analytics-of-version serve/cache-headers serve/code-blocks serve/host-routing serve/page-library serve/page-routes serve/published-site serve/reader-sites serve/reader-version serve/site-origin',
  export: 'bundle-servers find-exports make-bundle read-work store',
  mcp: 'docs-server page-lookup protocol published-docs server-card site-docs site-search tool',
  projects: 'domains/reserved-names lifecycle/project-transfers lifecycle/purge-projects projects',
  storage: 'organization-storage',
  dashboard: 'get-feedback-context get-insights get-overview search',
}

/** Subfolders whose files may be imported from other folders, like the files at the top level of a folder. */
const OPEN_ROOMS =
  'app/config app/doctor app/operator base/api base/errors base/files base/net base/text database/schema git/forges git/push http/description site/navigation site/pages site/reference site/settings'.split(
    ' ',
  )
/** Maximum number of TypeScript files directly in a folder, without tests. */
const MAX_FILES = 25

/** Code that also runs in browsers and therefore must not use Node APIs. */
const BROWSER_SAFE =
  /^src\/(?:base\/(?:api|errors)|client|features\/[^/]+\/operations|openapi|search)\/|^src\/features\/[^/]+$|^web\//
const VAGUE_NAMES = /(^|[-/])(utils?|helpers?|commons?|managers?|misc)([-./]|$)/

/**
 * Maximum number of lines per folder, without tests. Lower it when a folder shrinks; raise it only with a reason in
 * the commit message. Single files and functions have no limit.
 */
const MAX_LINES: Record<string, number> = {
  'src/base': 5650,
  'src/database': 3300,
  'src/routing': 1050,
  'src/objects': 1350,
  'src/sandbox': 1450,
  'src/queue': 1550,
  'src/git': 6200,
  'src/model': 1950,
  'src/openapi': 2450,
  'src/search': 1350,
  'src/site': 10350,
  'src/render': 36450,
  'src/features': 450,
  'src/features/accounts': 7300,
  'src/features/agent': 15300,
  'src/features/analytics': 3150,
  'src/features/assistant': 2000,
  'src/features/automations': 2700,
  'src/features/dashboard': 1100,
  'src/features/export': 2700,
  'src/features/feedback': 4050,
  'src/features/hosting': 7100,
  'src/features/mcp': 1250,
  'src/features/notifications': 3200,
  'src/features/projects': 5050,
  'src/features/reader': 2100,
  'src/features/statements': 3300,
  'src/features/storage': 1000,
  'src/features/webhooks': 1700,
  'src/backup': 1000,
  'src/import': 6300,
  'src/preview': 850,
  'src/http': 2750,
  'src/client': 600,
  'src/app': 5700,
  'src/cli': 5750,
  'web/reader': 8350,
  'web/preview': 350,
  'web/dashboard': 34750,
}
/** Maximum number of unused lines in a budget; beyond that, the budget must be lowered. */
const MOST_UNUSED = 300

/** Default exports required by a tool, with the reason. */
const DEFAULT_EXPORTS: Record<string, string> = {
  'scripts/test-reporter.mjs': "Node's test runner takes a reporter so",
}

test('every folder stays within its budget of lines', () => {
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

test('MAY_IMPORT has a row for every layer and no other', () => {
  const layers = new Set(sources.filter((file) => !isTest(file)).map(layerOf))
  layers.delete(null)
  assert.deepEqual(Object.keys(MAY_IMPORT).sort(), [...layers].sort(), 'a row for each layer, and no other')
})

test('MAY_IMPORT has no cycles: each row names only rows above it', () => {
  const above = new Set<string>()
  for (const [folder, row] of Object.entries(MAY_IMPORT)) {
    for (const name of row.split(' ').filter(Boolean)) {
      assert.ok(above.has(name), `${folder} names ${name}, whose row is not above it`)
    }
    above.add(folder)
  }
})

test('a layer imports only the layers in its row, and every entry of a row is used', () => {
  const between = relativeImports()
    .map((found) => ({ ...found, from: layerOf(found.file), to: layerOf(found.target) }))
    .filter(({ file, from, to }) => from !== null && from !== to && !isTest(file))
  const row = (layer: string | null) => (MAY_IMPORT[layer ?? ''] ?? '').split(' ').filter(Boolean)
  const broken = between.filter(({ from, to }) => to === null || !row(from).includes(to))
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'move the code to where its row allows the import, or hand the thing in as an argument from src/app',
  )
  const used = new Set(between.map(({ from, to }) => `${from} ${to}`))
  const idle = Object.keys(MAY_IMPORT).flatMap((layer) =>
    row(layer).flatMap((name) => (used.has(`${layer} ${name}`) ? [] : [`${layer} ${name}`])),
  )
  assert.deepEqual(idle, [], 'take it out of the row: nothing is imported from there')
})

test('a feature imports only the files of other features that FEATURE_DOORS lists', () => {
  const doors = new Set(
    Object.entries(FEATURE_DOORS).flatMap(([feature, names]) =>
      names.split(' ').map((name) => `src/features/${feature}/${name}.ts`),
    ),
  )
  const entering = relativeImports().filter(({ file, target }) => {
    const [from, to] = [domainOf(file), domainOf(target)]
    return (
      /^src\/features\/./.test(from ?? '') &&
      /^src\/features\/./.test(to ?? '') &&
      from !== to &&
      !isTest(file)
    )
  })
  const entered = entering.filter(({ target }) => layerOf(target) !== 'operations')
  assert.deepEqual(
    entered
      .filter(({ target }) => !doors.has(target))
      .map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'import a file that FEATURE_DOORS names',
  )
  const used = new Set(entered.map(({ target }) => target))
  assert.deepEqual(
    [...doors].filter((door) => !used.has(door)),
    [],
    'take these out of FEATURE_DOORS',
  )
})

test('only src/queue/job-table.ts names the tables of the queue library', () => {
  const naming = sources.filter(
    (file) => /^src\/.*\.ts$/.test(file) && !isTest(file) && /\bpgboss\b/.test(text.get(file) ?? ''),
  )
  assert.deepEqual(naming, ['src/queue/job-table.ts'])
})

test('no source folder has more files than MAX_FILES', () => {
  const levels = Map.groupBy(
    sources.filter((file) => file.startsWith('src/') && !isTest(file)),
    dirname,
  )
  const crowded = [...levels].filter(([, inside]) => inside.length > MAX_FILES)
  assert.deepEqual(
    crowded.map(([folder, inside]) => `${folder}: ${inside.length} files`),
    [],
    'make a room of what belongs together',
  )
})

test('there are no import cycles, not even for types', () => {
  const links = relativeImports().filter(
    ({ file, isDynamic }) => domainOf(file) && !isTest(file) && !isDynamic,
  )
  let left = links
  // Files without remaining imports or importers are not part of a cycle.
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

test('files below the top level of a folder are imported from outside only if in OPEN_ROOMS', () => {
  const hidden = relativeImports().filter(({ file, target }) => {
    const to = domainOf(target)
    // Tests may import any file. FEATURE_DOORS covers the features, and tests/rooms.test.ts covers src/render.
    if (file.startsWith('tests/') || to === null || to === domainOf(file)) return false
    return /^src\/(?!features\/|render\/)/.test(target) && target.split('/').length > 3
  })
  const roomOf = (file: string) => file.split('/').slice(1, 3).join('/')
  assert.deepEqual(
    hidden
      .filter(({ target }) => !OPEN_ROOMS.includes(roomOf(target)))
      .map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
    'import a file at the top of the folder, and let that file offer what is needed',
  )
  const entered = new Set(hidden.map(({ target }) => roomOf(target)))
  assert.deepEqual(
    OPEN_ROOMS.filter((room) => !entered.has(room)),
    [],
    'take these out of OPEN_ROOMS',
  )
})

test('relative imports point to existing files and include the extension', () => {
  const broken = relativeImports().filter(
    // Tests may contain programs as text, with imports relative to another folder.
    ({ file, target }) => !isTest(file) && (!existsSync(join(root, target)) || !/\.\w+$/.test(target)),
  )
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  )
})

test('process.env is read only in config.ts and caller.ts', () => {
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

test('browser-safe code does not import Node modules', () => {
  const broken = imports.filter(
    ({ file, specifier }) => BROWSER_SAFE.test(file) && !isTest(file) && specifier.startsWith('node:'),
  )
  assert.deepEqual(
    broken.map(({ file, specifier }) => `${file} imports ${specifier}`),
    [],
  )
})

test('there are no default exports except those listed in DEFAULT_EXPORTS', () => {
  const broken = modules.filter(
    (file) =>
      !(file in DEFAULT_EXPORTS) &&
      /^export default\b|^export \{[^}]*\bas default\b/m.test(withoutComments(file)),
  )
  assert.deepEqual(broken, [], 'export it by its name')
})

test('there are no barrel files', () => {
  const index = files.filter((file) => /(^|\/)index\.[a-z]+$/.test(file))
  assert.deepEqual(
    index,
    [],
    'name the file after what it does; the top level of a folder is its public face',
  )
  const broken = sources.filter((file) => /^export \* from/m.test(withoutComments(file)))
  assert.deepEqual(broken, [], 'import from the file that has the thing')
})

test('files and folders have kebab-case names and no vague names', () => {
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

// The server process handles only results. Code that reads text from authors, repositories or models runs behind
// src/render/site-process.ts and src/features/agent/loop/tool-process.ts, or in job handlers, which each job loads.
const READS_UNTRUSTED: Readonly<Record<string, string>> = {
  'src/site': 'load-site',
  'src/site/pages': 'read-pages frontmatter scan-page',
  'src/site/reference': 'spec-* list-operations',
  'src/render': 'build site-work live-site',
  'src/render/bodies': 'body-renderer',
  'src/render/compile': 'compile-*',
  'src/render/highlight': 'highlight*',
  'src/render/search': 'search-* word-weights',
  'src/features/agent': 'run-job',
  'src/features/agent/check': 'check-change',
  'src/features/agent/code': 'code-work find-lines line-pattern',
  'src/features/agent/edit': 'page-search',
  'src/features/agent/loop': 'tool-work toolbox agent-loop',
  'src/features/export': 'build-export',
  'src/features/statements': 'statement-work read-code read-page read-trees find-alarms',
  'src/features/hosting/deploy': 'publish-deployment',
}
const PARSERS = 'satteri esbuild isolated-vm shiki @shikijs/themes @unocss/core minisearch katex image-size'

test('the server process does not load code that parses untrusted text', () => {
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

test('browser code does not load typebox', () => {
  const sources = globSync('web/{dashboard,reader,preview}/**/*.{ts,tsx}', { cwd: root })
  const cameFrom = allLoadedBy(...sources.filter((file) => !/node_modules|\.test\.tsx?$/.test(file)))
  assert.ok(
    cameFrom.has('src/base/api/form-choices.ts') && cameFrom.has('preact'),
    'the walk has lost its way',
  )
  assert.equal(
    cameFrom.get('typebox'),
    undefined,
    'move the value into src/base/api/form-*.ts, without schemas',
  )
})

test('the check command starts without loading packages or code that renders, serves or stores', () => {
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

/** Maps all files and packages loaded by these files to the file that loads them; null for the files themselves. */
function allLoadedBy(...files: string[]): Map<string, string | null> {
  const cameFrom = new Map<string, string | null>(files.map((file) => [file, null]))
  for (const file of cameFrom.keys())
    for (const next of loadedBy(file)) if (!cameFrom.has(next)) cameFrom.set(next, file)
  return cameFrom
}

/** Lists the files and packages that a file loads statically, without type imports and `import()`. */
function loadedBy(file: string): string[] {
  if (!text.has(file)) return []
  const pattern = /(?:^|[;\n])\s*(?:import|export)\s(?!type\s)(?:[^;'"`]*?from\s*)?['"]([^'"\n]+)['"]/g
  return [...withoutComments(file).matchAll(pattern)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
  )
}
