import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import type { Problem } from '../../base/errors/problem.ts'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { parseJson } from '../json.ts'
import { loadSite } from '../load-site.ts'
import { readConfig } from './read-config.ts'
import type { SettingSchema } from './schema-parts.ts'
import { SETTINGS_SCHEMA } from './settings-schema.ts'

const definitions: Record<string, SettingSchema> = SETTINGS_SCHEMA.definitions
const BASE = { theme: 'mint', name: 'T', colors: { primary: '#123456' }, navigation: { pages: ['a'] } }

function read(settings: unknown) {
  const problems: Problem[] = []
  const node = parseJson(problems, 'docs.json', JSON.stringify(settings, null, 1))
  assert.ok(node)
  return { config: readConfig(problems, node), problems }
}

function schemas(schema: SettingSchema): SettingSchema[] {
  const inner = [
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
  ]
  return [schema, ...inner.flatMap(schemas)]
}

const all = [SETTINGS_SCHEMA as SettingSchema, ...Object.values(definitions)].flatMap(schemas)

test('every $ref in the schema resolves, and every setting has a description', () => {
  for (const { $ref } of all) if ($ref) assert.ok(definitions[$ref.replace('#/definitions/', '')], $ref)
  const silent = Object.entries(SETTINGS_SCHEMA.properties as Record<string, SettingSchema>).filter(
    ([, schema]) => !schema.description && !schema.$ref,
  )
  assert.deepEqual(silent, [])
})

test('the schema compiles in Ajv, accepts our own docs.json and rejects invalid settings', () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const isValid = ajv.compile(SETTINGS_SCHEMA)
  const own = JSON.parse(readFileSync(new URL('../../../docs/docs.json', import.meta.url), 'utf8'))
  assert.ok(isValid(own), ajv.errorsText(isValid.errors))
  assert.ok(!isValid({ ...own, theme: 'other' }))
  assert.ok(!isValid({ ...own, navigation: { tabs: [{ tab: 'A', groups: [{ group: 'G', pagse: [] }] }] } }))
})

test('defaults in the schema match the defaults in use', () => {
  const { config } = read({ theme: 'mint', colors: { primary: '#123456' }, navigation: {} })
  const used = config as unknown as Record<string, unknown>
  const named: [string, unknown, unknown][] = []
  for (const [key, schema] of Object.entries(SETTINGS_SCHEMA.properties as Record<string, SettingSchema>)) {
    if (schema.default !== undefined) named.push([key, schema.default, used[key]])
    for (const [inner, { default: standard }] of Object.entries(schema.properties ?? {})) {
      const section = used[key] as Record<string, unknown> | null
      if (section && standard !== undefined && inner in section)
        named.push([`${key}.${inner}`, standard, section[inner]])
    }
  }
  for (const [path, standard, value] of named) assert.equal(value, standard, path)
  assert.ok(named.length >= 10, String(named.length))
})

test('an unknown key at any depth is a hint with its line and the closest name', () => {
  const { problems } = read({
    ...BASE,
    navbar: { link: [] },
    navigation: { tabs: [{ tab: 'A', icn: 'x', groups: [{ group: 'G', pages: ['a'], expand: true }] }] },
  })
  assert.deepEqual(
    problems.map(({ code, level, line, message, remedy }) => [
      code,
      level,
      line,
      message.split(' ')[0],
      remedy,
    ]),
    [
      ['config.unknown_key', 'hint', 11, 'navigation.tabs.icn', 'Did you mean icon?'],
      ['config.unknown_key', 'hint', 18, 'navigation.tabs.groups.expand', 'Did you mean expanded?'],
      ['config.unknown_key', 'hint', 25, 'navbar.link', 'Did you mean links?'],
    ],
  )
})

test('suggests the right section for a misplaced setting', () => {
  const { problems } = read({ ...BASE, openapi: 'spec.json', light: '#fff' })
  assert.deepEqual(
    problems.map(({ remedy }) => remedy),
    ['Move it to navigation.openapi or api.openapi.', 'Remove it.'],
  )
})

test('ignores $schema and comment keys', () => {
  const { problems } = read({ ...BASE, $schema: 'x', _comment: 'y', navbar: { $comment: 1, links: [] } })
  assert.deepEqual(problems, [])
})

test('reports a value of the wrong type once and uses the default', () => {
  const { problems, config } = read({ ...BASE, thumbnails: { background: {} }, integrations: { ga4: 'G-1' } })
  assert.deepEqual(
    problems.map(({ code, level }) => [code, level]),
    [
      ['config.type', 'warning'],
      ['config.type', 'warning'],
    ],
  )
  assert.deepEqual([config.thumbnails.background, config.integrations], [null, {}])
})

test('loads any docs.json without throwing, and repeated loads report the same problems', async () => {
  const keys = Object.keys(SETTINGS_SCHEMA.properties)
  const inner = [...new Set(all.flatMap((schema) => Object.keys(schema.properties ?? {})))]
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 'x', '', '#fff', 3, -1, 'https://x.y', '/a', 'GET /x', '__proto__'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...inner, '__proto__', 'constructor'), tie('any'), { maxKeys: 4 }),
    ),
  })).any
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }), async (settings) => {
      const files = { 'docs.json': JSON.stringify(settings), 'a.mdx': 'x' }
      const site = await loadSite(openMemoryTree(files))
      assert.deepEqual((await loadSite(openMemoryTree(files))).problems, site.problems)
    }),
    { numRuns: 300 },
  )
})

test('the settings reference in the docs lists every setting', () => {
  const read = (name: string) => readFileSync(new URL(`../../../docs/${name}.mdx`, import.meta.url), 'utf8')
  const site = read('snippets/reference/site-settings')
  const missing = Object.keys(SETTINGS_SCHEMA.properties).filter(
    (key) =>
      !['$schema', 'navigation', 'public'].includes(key) &&
      !new RegExp(`^\\| \`${key}[.\`[]`, 'm').test(site),
  )
  assert.deepEqual(missing, [])
  const navigation = read('content/navigation')
  const kinds = [
    'languages',
    'versions',
    'products',
    'tabs',
    'menu',
    'dropdowns',
    'anchors',
    'directory',
    'boost',
  ]
  for (const kind of kinds) assert.ok(navigation.includes(`\`${kind}`), kind)
})
