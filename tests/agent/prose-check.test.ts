import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { describeChecks } from '../../src/features/agent/check/describe-checks.ts'
import { findNewAddresses } from '../../src/features/agent/check/new-addresses.ts'
import { checkProse } from '../../src/features/agent/check/prose/prose-check.ts'
import { checkAddresses } from '../../src/features/agent/loop/check-addresses.ts'

const RULES: Record<string, string> = {
  '.vale.ini':
    'StylesPath = styles\nMinAlertLevel = suggestion\nVocab = Docs\n\n[formats]\nmdx = md\n\n[*.md]\nBasedOnStyles = Vale, House\nHouse.Off = NO\nHouse.Soft = error\n\n[legal/**]\nBasedOnStyles =\nTokenIgnores = x\n',
  'styles/House/Existence.yml':
    "extends: existence\nmessage: Avoid '%s'.\nlevel: warning\nignorecase: true\ntokens: [simply, obvious(?:ly)?]\nexceptions: [Simply]\n",
  'styles/House/Terms.yml':
    "extends: substitution\nmessage: Use '%s' instead of '%s'.\nlevel: error\nswap:\n  utili[sz]e: use\n  e-mail: email\n",
  'styles/House/Long.yml':
    "extends: occurrence\nmessage: A sentence of more than 6 words (%s).\nscope: sentence\nlevel: warning\nmax: 6\ntoken: '\\b\\w+\\b'\n",
  'styles/House/Stop.yml':
    "extends: existence\nmessage: No full stop in headings.\nlevel: warning\nscope: heading\nnonword: true\ntokens: ['[a-z]{2}[.?!]\\s*$']\n",
  'styles/House/Case.yml':
    'extends: capitalization\nmessage: "\'%s\' should be in sentence case."\nlevel: warning\nscope: heading\nmatch: $sentence\nexceptions: [Kubernetes]\n',
  'styles/House/Soft.yml':
    "extends: repetition\nmessage: \"'%s' twice.\"\nlevel: suggestion\ntokens: ['\\b[Vv]ery\\b']\n",
  'styles/House/Off.yml': 'extends: existence\nmessage: off\nlevel: error\ntokens: [the]\n',
  'styles/House/Ahead.yml': "extends: existence\nmessage: no\nlevel: error\ntokens: ['a(?=b)']\n",
  'styles/House/Read.yml': 'extends: readability\nmessage: no\nlevel: error\ngrade: 8\n',
  'styles/House/Broken.yml': 'extends: [existence\n',
  'styles/config/vocabularies/Docs/accept.txt': 'PostgreSQL\n[Pp]y.*\n',
  'styles/config/vocabularies/Docs/reject.txt': 'whitelist\n',
}

const page = (text: string) => `---\ntitle: A page\n---\n\n${text}\n`

async function check(
  text: string,
  {
    was = '',
    names = [],
    path = 'a.mdx',
    rules = RULES,
  }: {
    was?: string
    names?: string[]
    path?: string
    rules?: Record<string, string>
  } = {},
) {
  const trees = {
    before: openMemoryTree({ ...rules, [path]: page(was) }),
    after: openMemoryTree({ ...rules, [path]: page(text) }),
  }
  const found = await checkProse({ ...trees, site: null, names }, [{ path, change: 'modified' }])
  return { ...found, told: found.after.map(({ line, level, message }) => `${line} ${level}: ${message}`) }
}

test('each kind of prose rule reports matches on the right line and level', async () => {
  const { told, said } = await check(
    'We simply\nutilize it. Simply.\n\n## The Way It Works.\n\n## Kubernetes on a laptop\n\nOne two three four five six seven.\n\nIt is is very very good.\n\nAsk postgresql about the whitelist.',
  )
  assert.deepEqual(told, [
    "5 warning: Avoid 'simply'. (House.Existence)",
    "6 error: Use 'use' instead of 'utilize'. (House.Terms)",
    "8 warning: 'The Way It Works.' should be in sentence case. (House.Case)",
    '8 warning: No full stop in headings. (House.Stop: “ks.”)',
    '12 warning: A sentence of more than 6 words (7). (House.Long)',
    "14 error: 'very' twice. (House.Soft)",
    "14 error: 'is' is repeated! (Vale.Repetition)",
    "14 error: 'very' is repeated! (Vale.Repetition)",
    "16 error: Avoid using 'whitelist'. (Vale.Avoid)",
    '16 warning: The spelling on this site is “PostgreSQL”, not “postgresql”.',
  ])
  assert.deepEqual([...said.undone].sort(), [
    'House.Ahead',
    'House.Broken',
    'House.Read',
    'TokenIgnores of [legal/**]',
    'Vale.Spelling',
  ])
  assert.equal(said.rules, 8)
  assert.equal(said.isWhole, true)
})

test('a .vale.ini section can switch rules off, and a site without rules has none', async () => {
  assert.deepEqual((await check('We simply use it.', { path: 'legal/a.mdx' })).told, [])
  assert.deepEqual((await check('We simply use it.', { rules: {} })).said, {
    rules: 0,
    undone: [],
    names: 0,
    isWhole: true,
  })
})

test('stops rules that cost too much and reports the check as partial', async () => {
  const rules = {
    '.vale.ini': 'StylesPath = s\n[*]\nBasedOnStyles = Bad\n',
    's/Bad/Bad.yml': `extends: existence\nmessage: no\nlevel: error\nnonword: true\ntokens: ['x{8}|y{500}']\n`,
  }
  const { said } = await check(`${'xxxxxxxx aaaaaaa '.repeat(1000)}\n\n`.repeat(40), { rules })
  assert.equal(said.isWhole, false)
  assert.match(
    describeChecks({ prose: said, links: null }),
    /The prose rules were applied only to part of the change/,
  )
})

test('finds misspelled names with other case, spaces or hyphens, but not in code, URLs or paths', async () => {
  const names = ['GitHub', 'Acme Cloud', 'C++']
  const { told } = await check(
    'Github and Git Hub and git-hub: `github` https://github.com/a github.com src/github @github.\n\nOn acme cloud, AcmeCloud or the Acme Cloud; GitHub’s own.',
    { names, rules: {} },
  )
  assert.deepEqual(told, [
    '5 warning: The spelling on this site is “GitHub”, not “Github”.',
    '5 warning: The spelling on this site is “GitHub”, not “Git Hub”.',
    '5 warning: The spelling on this site is “GitHub”, not “git-hub”.',
    '7 warning: The spelling on this site is “Acme Cloud”, not “acme cloud”.',
    '7 warning: The spelling on this site is “Acme Cloud”, not “AcmeCloud”.',
  ])
})

test('finds complete URLs of other sites that are new on the page, outside code', async () => {
  const was = 'See <https://old.dev/a>.'
  const text =
    'See <https://old.dev/a#here> and [b](https://new.dev/b_(c)#d), (https://new.dev/e). https://docs.me.dev/x https://api.example.com/ http://localhost:3000 `https://code.dev`\n\n```\nhttps://fence.dev\n```'
  const before = openMemoryTree({ 'a.mdx': page(was) })
  const after = openMemoryTree({ 'a.mdx': page(text) })
  const found = await findNewAddresses({ before, after, origin: 'https://docs.me.dev' }, [
    { path: 'a.mdx', change: 'modified' },
  ])
  assert.deepEqual(found, [
    { url: 'https://new.dev/b_(c)', file: 'a.mdx', line: 5 },
    { url: 'https://new.dev/e', file: 'a.mdx', line: 5 },
  ])
})

test('checks links by HEAD, then GET, never requests private addresses and reports uncertain results', async () => {
  const asked: string[] = []
  await using opened = new AsyncDisposableStack()
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    const isPage = url === '/good' || (url === '/no-head' && method === 'GET') || url === '/end'
    if (url === '/moved') response.writeHead(302, { location: '/end' }).end()
    else if (url === '/busy') response.writeHead(503).end()
    else if (url === '/endless' && method === 'GET') response.writeHead(200).write('x'.repeat(1 << 20))
    else if (url === '/endless') response.writeHead(405).end()
    else response.writeHead(isPage ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const at = (path: string) => ({ url: `http://127.0.0.1:${port}${path}`, file: 'a.mdx', line: 1 })
  const guarded = opened.use(createGuardedFetch({ ports: [port], privateHosts: [`127.0.0.1:${port}`] }))
  const { signal } = new AbortController()
  const paths = ['/good', '/no-head', '/moved', '/gone', '/busy', '/endless']
  const found = await checkAddresses(
    guarded,
    [...paths.map(at), ...Array.from({ length: 30 }, () => at('/more'))],
    signal,
  )
  assert.equal(found.good, 4)
  assert.ok(found.dead.some(({ url, status }) => url.endsWith('/gone') && status === 404))
  assert.deepEqual(found.unsure, [{ url: at('/busy').url, why: 'it answered 503' }])
  assert.equal(found.left, 6)
  assert.ok(asked.includes('HEAD /gone') && asked.includes('GET /gone'))

  const careful = opened.use(createGuardedFetch({ ports: [port] }))
  const before = asked.length
  const refused = await checkAddresses(
    careful,
    [at('/good'), { ...at(''), url: 'http://169.254.169.254/' }],
    signal,
  )
  assert.equal(asked.length, before, 'a private address was asked')
  assert.deepEqual([refused.good, refused.dead.length, refused.unsure.length], [0, 0, 2])
  const text = describeChecks({
    prose: null,
    links: { ...found, unsure: [...found.unsure, ...refused.unsure] },
  })
  assert.match(text, /4 of 38 new links to other sites responded\. Not found: .*Could not be checked: /)
  assert.match(
    text,
    /6 were not checked\. Not checked: spelling and grammar, code samples in languages other than JSON, and whether the content is correct\.$/,
  )
})

test('finds repeated words, leftover notes and invalid JSON without any rules', async () => {
  const told = async (text: string) => (await check(text, { rules: {} })).told
  assert.deepEqual(await told('It is the the end.'), ['5 warning: “the” is repeated.'])
  // Test input for the rule about leftover notes: the words below are not notes in this file.
  assert.deepEqual(await told('Limits: TODO: ask Ann.'), [
    '5 warning: “TODO” is a note for writers, and would be published.',
  ])
  const [json = ''] = await told('```json\n{ "a": 1, }\n```')
  assert.match(json, /^5 warning: The JSON in this block cannot be parsed: /)
  for (const right of [
    'We know that that is so. Nous nous levons. The `TODO` list, a to-do.',
    '```json\n{ "a": 1 }\n```',
    '```json\n{ "a": 1, … }\n```',
    '```jsonc\n{ "a": 1, }\n```',
    '```json\n{"a":1}\n{"a":2}\n```',
    '```js\nTODO: the the\n```',
  ])
    assert.deepEqual(await told(right), [], right)
})
