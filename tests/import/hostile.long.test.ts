/** Imports of hostile folders, through the command line as well. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { IMPORT_KINDS, type ImportKind } from '../../src/import/imported-site.ts'
import { importInto, textsOf } from '../kit/imported-site.ts'
import { runOctavo } from '../kit/octavo-command.ts'
import { writeSite } from '../kit/site.ts'

let work: string
before(async () => {
  work = await mkdtemp(join(tmpdir(), 'octavo-hostile-'))
})
after(() => rm(work, { recursive: true, force: true }))

const run = (...args: string[]) => runOctavo(args, { cwd: work, env: { XDG_RUNTIME_DIR: work } })

/** Returns the smallest site of a kind with the given page. */
function siteOf(kind: ImportKind, page: string): Record<string, string> {
  if (kind === 'mkdocs') return { 'mkdocs.yml': 'site_name: S\n', 'docs/index.md': page }
  if (kind === 'gitbook') return { 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': page }
  return { 'docusaurus.config.js': "module.exports = { title: 'S' }\n", 'docs/index.md': page }
}

async function folderWith(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(work, name)
  await writeSite(folder, files)
  return folder
}

/** About a megabyte each of markup that forces parsers to look ahead. */
const MEGABYTES: Record<string, string> = {
  tags: '<a b="'.repeat(170_000),
  braces: '{'.repeat(1_000_000),
  blocks: '{% hint %}\n'.repeat(90_000),
  admonitions: '!!! note\n'.repeat(110_000),
  colons: ':::note\n'.repeat(125_000),
  backticks: '`` ` '.repeat(200_000),
  brackets: '[](('.repeat(250_000),
  dollars: '$a '.repeat(330_000),
  spaces: `# ${' '.repeat(1_000_000)}x`,
  imports: "import a from 'b'\n\n".repeat(50_000),
  tables: '<table data-view="cards">'.repeat(40_000),
  nested: '> '.repeat(500_000),
}

for (const kind of IMPORT_KINDS) {
  test(`importing a page with a megabyte of hostile markup finishes for ${kind}`, async () => {
    for (const [name, text] of Object.entries(MEGABYTES)) {
      await using site = await importInto(kind, await folderWith(`${kind}-${name}`, siteOf(kind, text)))
      assert.ok(site.texts.has('docs.json'), name)
    }
  })

  test(`a symlink out of the ${kind} folder is not followed and is reported`, async () => {
    await writeFile(join(work, 'secret.md'), '# The secret\n')
    const folder = await folderWith(`${kind}-links`, siteOf(kind, '# Home\n'))
    const pages = kind === 'gitbook' ? folder : join(folder, 'docs')
    await symlink(join(work, 'secret.md'), join(pages, 'stolen.md'))
    await symlink(pages, join(pages, 'again'))
    await using site = await importInto(kind, folder)
    assert.ok(![...site.texts.values()].some((text) => text.includes('The secret')))
    assert.ok(site.notes.some(({ file }) => file.endsWith('stolen.md')))
  })

  test(`a folder without a ${kind} site is refused with a remedy`, async () => {
    const folder = await folderWith(`${kind}-none`, { 'a.md': '# A\n' })
    const refused = await run('import', kind, folder, '--out', join(work, `${kind}-none-out`))
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^There is no .* in this folder. Use the path of the folder .*\n$/)
  })
}

test('settings written as a program are never executed', async () => {
  const config = `require('node:fs').writeFileSync(${JSON.stringify(join(work, 'ran'))}, '')\nmodule.exports = { title: require('node:child_process').execSync('id').toString() }\n`
  const folder = await folderWith('program', {
    ...siteOf('docusaurus', '# Home\n'),
    'docusaurus.config.js': config,
  })
  await using site = await importInto('docusaurus', folder)
  await assert.rejects(readFile(join(work, 'ran')))
  assert.ok(
    site.notes.some(
      ({ file, line, code }) => file === 'docusaurus.config.js' && line === 2 && code === 'import.expression',
    ),
  )
})

test('settings that expand exponentially are refused or reported', async () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghij'.replace(
    /./g,
    (name) =>
      `${name}: &${name} [${Array(9)
        .fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)
        .join(', ')}]\n`,
  )}`
  const folder = await folderWith('bomb', { 'mkdocs.yml': bomb, 'docs/index.md': '# Home\n' })
  const refused = await run('import', 'mkdocs', folder)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^mkdocs\.yml:\d+ cannot be parsed: it contains more than \d+ values\.\n$/)
  const constants = Array.from(
    { length: 40 },
    (_, index) => `const a${index + 1} = [...a${index}, ...a${index}]`,
  )
  const program = `const a0 = [1]\n${constants.join('\n')}\nmodule.exports = { title: 'S', customFields: a40 }\n`
  await using site = await importInto(
    'docusaurus',
    await folderWith('constants', { ...siteOf('docusaurus', '# Home\n'), 'docusaurus.config.js': program }),
  )
  assert.ok(site.notes.some(({ message }) => message.includes('more than 200,000 values')))
})

test('paths of the imported site never lead out of the new folder', async () => {
  const files = {
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', { docs: { path: '../outside', routeBasePath: '../../up', sidebarPath: '../../../etc/passwd' } }]], staticDirectories: ['../..'] }\n",
    'docs/a.md': '---\nslug: ../../../../escaped\n---\n\n# A\n\n![x](../../../../etc/passwd)\n',
  }
  await using site = await importInto('docusaurus', await folderWith('paths', files))
  assert.deepEqual(
    [...(await textsOf(site.folder)).keys()].filter((path) => path.includes('..')),
    [],
  )
})

test('reports configured folders that are outside the imported folder or contain no pages', async () => {
  const files = {
    ...siteOf('docusaurus', '# Home\n'),
    'docusaurus.config.js':
      "const path = require('path')\nmodule.exports = { presets: [['classic', { docs: { path: path.resolve(__dirname, '../manual') }, blog: { path: 'x/../../news' } }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: 'apis' }]], staticDirectories: ['../shared'] }\n",
  }
  await using site = await importInto('docusaurus', await folderWith('outside', files))
  const told = site.notes.filter(({ code }) => code === 'import.file').map(({ message }) => message)
  assert.deepEqual(told, [
    'The folder ../manual is outside the imported folder, so it is skipped.',
    'The folder ../news is outside the imported folder, so it is skipped.',
    'The folder ../shared is outside the imported folder, so it is skipped.',
    'The docs plugin api uses the folder apis, which contains no pages.',
  ])
})

test('import creates a sibling folder, refuses to overwrite it, and overwrites its files with --force', async () => {
  const folder = await folderWith('manual', siteOf('mkdocs', '# Home\n\nFirst words.\n'))
  const first = await run('import', 'mkdocs', 'manual', '--json')
  assert.equal(first.code, 0, first.stderr)
  const result = JSON.parse(first.stdout)
  assert.deepEqual(
    [result.kind, result.out, result.pages, result.notes],
    ['mkdocs', join(work, 'manual-docs'), 1, []],
  )
  const check = await run('check', 'manual-docs', '--json')
  assert.deepEqual([check.code, JSON.parse(check.stdout).problems], [0, []])

  const second = await run('import', 'mkdocs', 'manual')
  assert.equal(second.code, 1)
  assert.match(
    second.stderr,
    /manual-docs is not empty\. Use --out with another folder, or --force to overwrite files \(other files are not deleted\)\.\n$/,
  )

  await writeFile(join(work, 'manual-docs/mine.mdx'), '# Mine\n')
  await writeFile(join(folder, 'docs/index.md'), '# Home\n\nSecond words.\n')
  const forced = await run('import', 'mkdocs', 'manual', '--force')
  assert.equal(forced.code, 0, forced.stderr)
  assert.match(
    forced.stdout,
    /^1 page, \d+ files in .*manual-docs\nNothing needs manual work\.\nPreview it: .* dev manual-docs\nCheck it: /,
  )
  assert.match(await readFile(join(work, 'manual-docs/index.mdx'), 'utf8'), /Second words/)
  assert.equal(await readFile(join(work, 'manual-docs/mine.mdx'), 'utf8'), '# Mine\n')
})

test('import does not write through a symlink in the new folder', async () => {
  await folderWith('linked', { ...siteOf('mkdocs', '# Home\n'), 'docs/guide/a.md': '# A\n' })
  await mkdir(join(work, 'elsewhere'))
  await mkdir(join(work, 'linked-docs'))
  await symlink(join(work, 'elsewhere'), join(work, 'linked-docs/guide'))
  const refused = await run('import', 'mkdocs', 'linked', '--force')
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /guide exists but is not a folder\. Remove it, or use --out with another folder\.\n$/,
  )
})

test('refuses an unknown kind, a new folder inside the old one and a missing folder', async () => {
  await folderWith('inside', siteOf('mkdocs', '# Home\n'))
  const kind = await run('import', 'sphinx', 'inside')
  assert.equal(kind.code, 2)
  assert.match(kind.stderr, /must be one of docusaurus, mkdocs, gitbook\./)
  const within = await run('import', 'mkdocs', 'inside', '--out', 'inside/new')
  assert.equal(within.code, 1)
  assert.match(within.stderr, /contain each other\. Use --out with a separate folder\.\n$/)
  const missing = await run('import', 'mkdocs', 'nowhere')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /there is no folder .*nowhere/i)
})
