import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTouchedStatements } from './find-touched.ts'
import { readCode } from './read-code.ts'
import { readPage } from './read-page.ts'

const PAGES = {
  'cli.mdx': 'Deploy with `acme --region eu`.',
  'prose.mdx': 'The words region and parseRegion stand in no code here.',
  'users.mdx': 'Send `GET /v1/users/{user_id}/keys`.',
  'sdk.mdx': 'Call `parseRegion()`.',
  'files.mdx': 'The list is in `src/region.ts`.',
  'config.mdx': '<ParamField path="retries" type="number">How often.</ParamField>',
}

type Code = Record<string, string>

function touched(before: Code, after: Code, pages: Code = PAGES): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const found = findTouchedStatements({
    changed: paths
      .map((path) => ({ path, before: before[path] ?? null, after: after[path] ?? null }))
      .filter((file) => file.before !== file.after),
    files: Object.entries(after).map(([file, text]) => ({ file, facts: readCode(file, text) })),
    pages: Object.entries(pages).map(([file, text]) => ({ file, statements: readPage(text) })),
  })
  return [...new Set(found.map(({ page, name }) => `${page} ${name}`))]
}

const FUNCTION = 'export function parseRegion(text) {\n  if (text) {\n    return one(text)\n  }\n}\n'

const ROWS: [name: string, before: Code, after: Code, found: string[]][] = [
  [
    'an option whose argument changes',
    { 'a.ts': "option('--region')" },
    { 'a.ts': "option('--region <name>')" },
    ['cli.mdx --region'],
  ],
  [
    'a route that is new',
    {},
    { 'a.ts': "app.get('/v1/users/:id/keys', list)" },
    ['users.mdx /v1/users/{}/keys'],
  ],
  ['a name that is removed', { 'a.ts': FUNCTION }, {}, ['sdk.mdx parseRegion']],
  [
    'the body of a function',
    { 'a.ts': FUNCTION },
    { 'a.ts': FUNCTION.replace('one', 'another') },
    ['sdk.mdx parseRegion'],
  ],
  [
    'a file that a page names',
    { 'src/region.ts': 'const a = one()' },
    { 'src/region.ts': 'const a = two()' },
    ['files.mdx src/region.ts'],
  ],
  ['a value of a field', { 'a.yaml': 'retries: 3' }, { 'a.yaml': 'retries: 4' }, ['config.mdx retries']],
  ['code that only moved', { 'a.ts': "option('--region')" }, { 'b.ts': "  option('--region')" }, []],
  ['a comment', { 'a.ts': '// parseRegion --region\n' }, { 'a.ts': '// --region parseRegion\n' }, []],
]

for (const [name, before, after, found] of ROWS)
  test(`a change touches only the statements that depend on it: ${name}`, () => {
    assert.deepEqual(touched(before, after), found)
  })

test('ignores a name that occurs on many pages', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`p${n}.mdx`, 'Run `acme --verbose`.']),
  )
  const pages = { ...many, 'one.mdx': 'Pass `--verbose` and `--colour`.' }
  const [before, after] = [
    { 'a.ts': "option('--verbose')\noption('--colour')" },
    { 'a.ts': "option('--verbose <n>')\noption('--colour <n>')" },
  ]
  assert.deepEqual(touched(before, after, pages), ['one.mdx --colour'])
})

test('processes hostile changes in linear time', () => {
  const deep = Array.from({ length: 5000 }, (_, n) => `${' '.repeat(n % 400)}someName${n}: ${n},`)
  const long = `'${'--a/'.repeat(200_000)}'`
  const names = Array.from({ length: 5000 }, (_, n) => `\`someName${n}\` is \`src/a.ts\`.`)
  const after = [...deep.map((line) => line.replace(',', ' + 1,')), long].join('\n')
  touched({ 'src/a.ts': deep.join('\n') }, { 'src/a.ts': after }, { 'a.mdx': names.join('\n\n') })
})
