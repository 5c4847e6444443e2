import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../base/files/memory-tree.ts'
import { loadSite } from './load-site.ts'
import type { Site } from './model.ts'

async function siteOf(pages: string[], files: Record<string, string>): Promise<Site> {
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation: { pages } }
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings), ...files }))
}

const codes = (site: Site) => site.problems.map((problem) => problem.code)
const found = (site: Site, code: string) => site.problems.filter((problem) => problem.code === code)

test('reports each Git LFS pointer, but not other small files', async () => {
  const pointer = (size: number) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize ${size}\n`
  const site = await siteOf(['index', 'page'], {
    'index.mdx': '![shot](/images/shot.png)',
    'page.mdx': pointer(99),
    'images/shot.png': pointer(12345),
    'images/dot.png': 'dot',
    'images/words.svg': '<svg><text>version https://git-lfs.github.com/spec/v1</text></svg>',
  })
  assert.deepEqual(
    found(site, 'file.lfs_pointer').map(({ file, level, message }) => [file, level, /12,345/.test(message)]),
    [
      ['images/shot.png', 'warning', true],
      ['page.mdx', 'warning', false],
    ],
  )
})

test('skills are neither pages nor assets, and incomplete skills are reported', async () => {
  const site = await siteOf(['index'], {
    'index.mdx': 'x',
    '.mintlify/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Deploys it.\n---\nDo this.',
    '.mintlify/skills/deploy/parts/steps.md': 'Steps',
    '.mintlify/skills/Nice Words/skill.md': 'No head.',
    '.mintlify/skills/inner/SKILL.md': '---\nname: inner\ndescription: x\ngroups: [staff]\n---\n',
    '.mintlify/skills/empty/notes.md': 'x',
    '.mintlify/ASSISTANT.md': '\nAnswer in verse.\n',
  })
  assert.deepEqual([...site.pages.keys()], ['/'])
  assert.deepEqual([...site.assets], [])
  assert.deepEqual(
    site.skills.map(({ name, main, others }) => [name, main, others]),
    [
      ['deploy', 'SKILL.md', ['parts/steps.md']],
      ['inner', 'SKILL.md', []],
      ['nice-words', 'skill.md', []],
    ],
  )
  assert.deepEqual(codes(site), ['skill.form', 'skill.form'])
  assert.equal(site.assistantInstructions, 'Answer in verse.')
})
