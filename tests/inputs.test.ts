/** Compares the input table in SECURITY.md with the sources: every parser has a row, and every row has its files. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { imports, isTest, modules, packageOf, root, withoutComments } from './kit/source-files.ts'

const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const inputs = rows.filter((cells) => /`(?:src|web|bin)\//.test(cells[3] ?? ''))
const named = inputs.flatMap((cells) =>
  [...(cells[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
)
/** Dependencies of the installed program, and those bundled into it. */
const dependencies: Record<string, string> = Object.assign(
  {},
  ...['package.json', 'src/package.json'].map(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).dependencies,
  ),
)
/** Table rows by package name. */
const parsers = new Map(
  rows.filter((cells) => Object.hasOwn(dependencies, cells[1] ?? '')).map((cells) => [cells[1], cells]),
)

/** Dependencies that see no untrusted input, or only values that are already parsed, each with the reason. */
const NO_PARSERS: Readonly<Record<string, string>> = {
  '@aws-sdk/s3-request-presigner': 'signs addresses',
  '@fontsource-variable/inter': 'a font of ours',
  '@fontsource-variable/jetbrains-mono': 'a font of ours',
  '@iconify-json/fa7-brands': 'drawings of ours',
  '@iconify-json/fa7-regular': 'drawings of ours',
  '@iconify-json/fa7-solid': 'drawings of ours',
  '@iconify-json/lucide': 'drawings of ours',
  '@iconify-json/tabler': 'drawings of ours',
  '@orama/stemmers': 'words, which are short',
  '@shikijs/langs': 'grammars of ours',
  '@shikijs/themes': 'colours of ours',
  'oniguruma-parser': 'patterns of the grammars of shiki',
  '@unocss/preset-wind3': 'rules of @unocss/core',
  kysely: 'writes queries',
  'lru-cache': 'keeps values',
  '@aws-sdk/lib-storage': 'uploads through @aws-sdk/client-s3',
  pg: 'answers of our own database',
  'pg-copy-streams': 'rows of our own database',
  'pg-boss': 'rows of our own database',
  pino: 'writes logs',
  preact: 'draws values',
  'preact-render-to-string': 'draws values',
  'prom-client': 'writes figures',
  typebox: 'checks values that were parsed',
}

const CALLS =
  /\b(?:JSON\.parse|parseEnv|\w*gunzip\w*|\w*inflate\w*|\w*brotliDecompress\w*|\w*zstdDecompress\w*|deserialize|createServer|new Resolver|createPublicKey|createPrivateKey)\(/i

function isNamed(file: string): boolean {
  return named.some((name) => (name.endsWith('/') ? file.startsWith(name) : name === file))
}

test('every source file that parses input is listed in SECURITY.md', () => {
  const parsing = new Set([
    ...modules.filter((file) => CALLS.test(withoutComments(file))),
    // Fastify types are imported everywhere; the server that uses it has its own row.
    ...imports
      .filter(({ specifier }) => parsers.has(packageOf(specifier)) && packageOf(specifier) !== 'fastify')
      .map(({ file }) => file),
  ])
  const without = [...parsing].filter(
    (file) => /^(?:src|web|bin)\//.test(file) && !isTest(file) && !isNamed(file),
  )
  assert.deepEqual(
    without,
    [],
    'say in SECURITY.md who writes what it parses, in which process, by which bound',
  )
})

test('every input row of SECURITY.md names existing files, a process and a bound', () => {
  assert.ok(inputs.length > 30)
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file))),
    [],
  )
  for (const cells of inputs)
    assert.ok(
      cells.slice(1, 6).every((cell) => cell !== ''),
      cells.join(' | '),
    )
})

test('every dependency is listed in SECURITY.md as a parser with its version, or declared not to parse', () => {
  // Dependencies pinned because another package needs them; the row of that package covers them.
  const parts: object = Object.assign(
    {},
    ...['better-auth', 'isolated-vm'].map(
      (name) =>
        JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).dependencies,
    ),
  )
  const unknown = Object.keys(dependencies).filter(
    (name) => !parsers.has(name) && !(name in NO_PARSERS) && !(name in parts),
  )
  assert.deepEqual(unknown, [], 'add it to the table in SECURITY.md, or to NO_PARSERS with the reason')
  const gone = Object.keys(NO_PARSERS).filter((name) => !(name in dependencies) || parsers.has(name))
  assert.deepEqual(gone, [])
  for (const [name, cells] of parsers)
    assert.equal(
      cells[2],
      dependencies[name ?? ''],
      `the version of ${name} in SECURITY.md; look at its date, too`,
    )
})
