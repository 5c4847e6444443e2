import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCode } from './read-code.ts'
import { readPage } from './read-page.ts'
import { mapStatements } from './statement-map.ts'

const CODE = {
  'src/cli.ts': `program\n  .option('--log-level <level>')\n  .option('--port <port>', 'Port', 3000)`,
  'src/config.ts': `export interface Config {\n  cacheSize: number\n  name: string\n}\nexport const config = {\n  retryCount: 3,\n}\nconst home = process.env.APP_HOME`,
  'src/routes.ts': `app.get('/users/:id', show)\nexport function createServer(port) {\n}`,
  'src/many.ts': ['a', 'b', 'c', 'd']
    .map((one) => `export const ${one} = {\n  name: '${one}',\n}`)
    .join('\n'),
}

const map = (page: string) =>
  mapStatements(
    [{ file: 'page.mdx', statements: readPage(page) }],
    Object.entries(CODE).map(([file, text]) => ({ file, facts: readCode(file, text) })),
  )

const ROWS: [sentence: string, bound: string[]][] = [
  ['Pass `--log-level debug`.', ['--log-level src/cli.ts:2']],
  ['Set `cacheSize` in the settings.', ['cacheSize src/config.ts:2']],
  ['Set `CACHE_SIZE` in the settings.', ['CACHE_SIZE src/config.ts:2']],
  ['`retryCount` is 3 by default.', ['retryCount src/config.ts:6 = 3']],
  ['`retryCount` is 4 by default.', ['retryCount src/config.ts:6']],
  ['The variable APP_HOME names the folder.', ['APP_HOME src/config.ts:8']],
  ['Send `GET /users/{userId}`.', ['/users/{} src/routes.ts:1']],
  ['`createServer()` starts it.', ['createServer src/routes.ts:2']],
  ['A `name` stands everywhere.', []],
  ['`unknownThing` stands nowhere.', []],
  ['Without code, nothing is bound.', []],
]

for (const [sentence, bound] of ROWS) {
  test(`binds a statement to the code lines that contain its names: ${sentence}`, () => {
    const found = map(sentence).pages.flatMap(({ statements }) =>
      statements.flatMap(({ bindings }) =>
        bindings.map(
          ({ name, lines, value }) =>
            `${name} ${lines.map(({ file, line }) => `${file}:${line}`).join(' ')}${value === null ? '' : ` = ${value}`}`,
        ),
      ),
    )
    assert.deepEqual(found, bound)
  })
}

test('counts statements per page and per file', () => {
  const { pages, files, statements, bound } = map('Pass `--log-level`.\n\nPass `--nothing`.\n\nNo code.')
  assert.deepEqual([pages[0]?.bound, pages[0]?.statements.length, statements, bound], [1, 2, 2, 1])
  assert.deepEqual(files, [{ file: 'src/cli.ts', statements: 1 }])
})
