import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alarm, findAlarms } from './find-alarms.ts'
import { readCode } from './read-code.ts'
import { readPage } from './read-page.ts'

interface Row {
  name: string
  file?: string
  before: string
  after: string | null
  page: string
  /** Lines of the page that are flagged. */
  lines: number[]
  pageFile?: string
  /** Unchanged code. */
  rest?: string
}

const ROWS: Row[] = [
  {
    name: 'a renamed flag, in a span and a sample but not in a sentence about the past',
    before: `program.option('-l, --log-level <level>', 'how much to log')`,
    after: `program.option('-l, --logging-level <level>', 'how much to log')`,
    page: 'Set `--log-level` to `debug`.\n\n```bash\napp run --log-level debug\n```\n\n`--log-level` was renamed.',
    lines: [1, 4],
  },
  {
    name: 'a flag that is made from a field',
    file: 'cli.rs',
    before: 'struct Args {\n    /// Level\n    #[arg(long)]\n    log_level: String,\n}',
    after: 'struct Args {\n    /// Level\n    #[arg(long)]\n    verbosity_level: String,\n}',
    page: 'Pass `--log-level debug`.',
    lines: [1],
  },
  {
    name: 'a name that other code still defines',
    before: 'export const maxRetries = 3',
    after: 'export const retryLimit = 3',
    rest: 'export interface Options {\n  maxRetries: number\n}',
    page: '`maxRetries` limits the attempts.',
    lines: [],
  },
  {
    name: 'a default under the heading of its option',
    before: 'const defaults = {\n  server: {\n    devPort: 5173,\n  },\n}',
    after: 'const defaults = {\n  server: {\n    devPort: 5174,\n  },\n}',
    page: '## `server.devPort`\n\n- **Type:** `number`\n- **Default:** `5173`\n\n## `server.host`\n\n- **Default:** `5173`',
    lines: [4],
  },
  {
    name: 'a limit in another unit',
    file: 'limits.go',
    before: 'func (c *Config) SetDefaults() {\n\tc.IdleTimeout = Duration(90 * time.Second)\n}',
    after: 'func (c *Config) SetDefaults() {\n\tc.IdleTimeout = Duration(60 * time.Second)\n}',
    page: '| Field | Default |\n|---|---|\n| `idleTimeout` | 90s |\n| `readTimeout` | 90s |',
    lines: [3],
  },
  {
    name: 'a constant for the default of a field',
    before: 'export const DEFAULT_MAX_CONNECTIONS = 5',
    after: 'export const DEFAULT_MAX_CONNECTIONS = 8',
    page: '<ParamField path="max_connections" type="number" default="5">\n  Size of the pool.\n</ParamField>',
    lines: [1],
  },
  {
    name: 'a value that is an example',
    before: 'export const cacheSize = 512',
    after: 'export const cacheSize = 256',
    page: 'The limit `cacheSize`, such as `512`.',
    lines: [],
  },
  {
    name: 'an environment variable, not the field of the same words',
    before: 'const home = process.env.APP_HOME_FOLDER',
    after: 'const home = process.env.APP_DATA_FOLDER',
    page: 'Set `APP_HOME_FOLDER`.\n\n`appHomeFolder` is an option.',
    lines: [1],
  },
  {
    name: 'a status code next to its error',
    before: `export const errors = {\n  BODY_TOO_LARGE: createError('BODY_TOO_LARGE', 'Too large', 413),\n}`,
    after: `export const errors = {\n  BODY_TOO_LARGE: createError('BODY_TOO_LARGE', 'Too large', 400),\n}`,
    page: '| Error | Status |\n|---|---|\n| `BODY_TOO_LARGE` | 413 |\n| `URL_TOO_LONG` | 414 |',
    lines: [3],
  },
  {
    name: 'a route, whose parameters have other names',
    before: `app.get('/users/:id/keys', list)`,
    after: `app.get('/accounts/:id/keys', list)`,
    page: 'Call `GET /users/{userId}/keys`.\n\nSee `/users`.',
    lines: [1],
  },
  {
    name: 'an operation of an API description',
    file: 'openapi.yaml',
    before: 'paths:\n  /v1/orders/{id}:\n    get:\n      operationId: getOrder\n',
    after: 'paths:\n  /v2/orders/{id}:\n    get:\n      operationId: getOrder\n',
    page: 'Send `GET /v1/orders/{id}`.',
    lines: [1],
  },
  {
    name: 'a signature, but not a call with other arguments',
    before: 'export function createServer(port, host) {\n}',
    after: 'export function createServer(options) {\n}',
    page: '### `createServer(port, host)`\n\nCall `createServer(8080)`.',
    lines: [1],
  },
  {
    name: 'a file that pages name by its path',
    before: 'export const x = 1',
    after: null,
    page: 'The code is in `src/code.ts`, see `src/other.ts`.\n\nBut `other/code.ts` is another.',
    lines: [1],
  },
  {
    name: 'what only comments, tests and local variables name',
    before: `function run() {\n  // oldOption is read here\n  const localName = load('x')\n  return localName\n}`,
    after: `function run() {\n  return load('x')\n}`,
    page: '`oldOption` and `localName`.',
    lines: [],
  },
  {
    name: 'a page about earlier versions',
    pageFile: 'changelog.md',
    before: `option('--log-level')`,
    after: `option('--level')`,
    page: 'Added `--log-level`.',
    lines: [],
  },
]

for (const { name, file = 'src/code.ts', before, after, page, pageFile = 'page.md', lines, rest } of ROWS) {
  test(`a change flags only the statements that depend on it: ${name}`, () => {
    const alarms = flag({ file, before, after, page, pageFile, rest })
    assert.deepEqual(
      alarms.map(({ line }) => line),
      lines,
      JSON.stringify(alarms, null, 1),
    )
  })
}

function flag({ file, before, after, page, pageFile, rest }: Omit<Row, 'name' | 'lines'>): Alarm[] {
  const path = file ?? 'src/code.ts'
  const facts = [
    ...(after === null ? [] : [readCode(path, after)]),
    ...(rest === undefined ? [] : [readCode('rest.ts', rest)]),
  ]
  return findAlarms({
    changed: [{ path, before, after }],
    after: facts,
    paths: { before: new Set([path]), after: new Set(after === null ? [] : [path]) },
    pages: [{ file: pageFile ?? 'page.md', statements: readPage(page) }],
  })
}

test('an alarm contains the statement with the old and the new line of code', () => {
  const [alarm] = flag({
    before: `limit: 10_000, // rows`,
    after: `limit: 20_000, // rows`,
    page: 'A query returns at most\n10,000 rows (`limit`).',
  })
  assert.deepEqual(alarm, {
    page: 'page.md',
    line: 1,
    text: 'A query returns at most 10,000 rows (`limit`).',
    reason: 'value',
    name: 'limit 10000',
    before: { file: 'src/code.ts', line: 1, text: 'limit: 10_000, // rows' },
    after: { file: 'src/code.ts', line: 1, text: 'limit: 20_000, // rows' },
  })
})

test('processes hostile files and pages in linear time', () => {
  const size = 200_000
  const texts = [
    '`'.repeat(size),
    '"'.repeat(size),
    '('.repeat(size),
    '/*'.repeat(size / 2),
    '| `a` '.repeat(size / 6),
    'a.'.repeat(size / 2),
    '--a'.repeat(size / 3),
    'A_'.repeat(size / 2),
    `f(${'a,'.repeat(size / 2)}`,
    '# `x`\n'.repeat(size / 6),
    '- `x`\n  '.repeat(size / 8),
    '`x` is 1. '.repeat(size / 10),
    '<ParamField name="'.repeat(size / 18),
    '/a'.repeat(size / 2),
    '1 * '.repeat(size / 4),
  ]
  for (const text of texts)
    for (const file of ['a.ts', 'a.py', 'a.go', 'a.yaml', 'a.json'])
      flag({ file, before: text, after: `${text}x`, page: text })
})
