import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_LIST_FILE } from '../../render/outputs/page-list.ts'
import { SKILLS_INDEX } from '../../render/outputs/skill-files.ts'
import { openSiteDocs } from './site-docs.ts'

const SITE = { name: 'Docs', description: null, languages: ['en'], takesFeedback: false }
const SKILL = { name: 'refund', description: 'Refunds an order.', files: ['SKILL.md'] }

const LISTS: readonly (readonly [string, string[]])[] = [
  ['', []],
  ['null', []],
  ['{}', []],
  ['{"skills":7}', []],
  ['{"skills":[null,7,{"name":"x"}]}', []],
  [JSON.stringify({ skills: [SKILL, { ...SKILL, files: 'SKILL.md' }] }), ['refund']],
]

for (const [text, names] of LISTS)
  test(`returns the valid skills of a bundle whose skill list is ${text.slice(0, 40) || 'empty'}`, async () => {
    const contents = new Map([
      [PAGE_LIST_FILE, `${JSON.stringify(SITE)}\n`],
      [SKILLS_INDEX, text],
    ])
    const read = async (name: string) => {
      const content = contents.get(name)
      return content === undefined ? null : Buffer.from(content)
    }
    const docs = await openSiteDocs({ names: [...contents.keys()], read })
    assert.deepEqual(
      docs?.skills.map(({ name }) => name),
      names,
    )
  })
