/** Skills for agents: folders below `.mintlify/skills`. They are served unchanged and do not become pages. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Skill } from '../model.ts'
import { parseFrontmatter } from '../pages/frontmatter.ts'
import { type Audience, isVisibleTo, readPageReaders } from '../pages/page-readers.ts'
import { compareText, quote } from '../problems.ts'
import { readTextFile } from '../text.ts'

const SKILL_FILE = /^(\.mintlify\/skills\/[^/]+)\/(.+)$/
const MAIN = /^skill\.md$/i
/** Format of names under which agents look up skills. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME_LENGTH = 64
const MAX_DESCRIPTION_LENGTH = 1024
const MAX_SKILLS = 100
const MAX_FILES = 100
const MAX_FILE_BYTES = 1 << 20

/** Sorted by name. */
export async function readSkills(tree: FileTree, problems: Problem[], audience: Audience): Promise<Skill[]> {
  const found = [...tree.files.keys()].flatMap((path) => {
    const [, folder, name] = SKILL_FILE.exec(path) ?? []
    return folder === undefined || name === undefined ? [] : [{ folder, name }]
  })
  const skills = new Map<string, Skill>()
  const folders = Map.groupBy(found, ({ folder }) => folder)
  for (const [folder, files] of [...folders].slice(0, MAX_SKILLS)) {
    const main = files.find(({ name }) => MAIN.test(name))?.name
    if (main === undefined) continue
    const isSmall = (name: string) => (tree.files.get(`${folder}/${name}`)?.sizeBytes ?? 0) <= MAX_FILE_BYTES
    const names = files.map(({ name }) => name).filter(isSmall)
    if (names.length < files.length || names.length > MAX_FILES) {
      const message = `A skill can have at most ${MAX_FILES} files of at most 1 MB each. The others are ignored.`
      report(problems, `${folder}/${main}`, 1, message, 'Split the skill, or link to large files.')
    }
    if (!names.includes(main)) continue
    const about = await readHead(tree, problems, audience, `${folder}/${main}`)
    if (about === null || skills.has(about.name)) continue
    const others = names.filter((name) => name !== main).slice(0, MAX_FILES - 1)
    skills.set(about.name, { ...about, folder, main, others })
  }
  return [...skills.values()].sort((a, b) => compareText(a.name, b.name))
}

async function readHead(
  tree: FileTree,
  problems: Problem[],
  audience: Audience,
  file: string,
): Promise<Pick<Skill, 'name' | 'description'> | null> {
  const own: Problem[] = []
  const text = await readTextFile(tree, file)
  const frontmatter = parseFrontmatter(own, file, text)
  const readers = readPageReaders(own, file, frontmatter, text)
  problems.push(...own)
  if (!isVisibleTo(readers, audience)) return null
  const { name: written, description } = frontmatter.fields as Readonly<Record<string, unknown>>
  const folder = file.split('/').at(-2) ?? ''
  const isName = typeof written === 'string' && NAME.test(written) && written.length <= MAX_NAME_LENGTH
  const name = isName ? written : createSkillName(folder)
  if (!isName) {
    const message = `name must consist of lower-case letters, digits and single hyphens. ${quote(name)} is used instead.`
    report(problems, file, frontmatter.lineOf('name'), message, `Write name: ${name}.`)
  }
  const about = typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : ''
  if (about === '' || about.length > MAX_DESCRIPTION_LENGTH) {
    const message = `The description of a skill must have 1 to ${MAX_DESCRIPTION_LENGTH} characters. Agents use it to choose a skill.`
    report(problems, file, frontmatter.lineOf('description'), message, 'Add it to the frontmatter.')
  }
  return { name, description: about.slice(0, MAX_DESCRIPTION_LENGTH) }
}

function createSkillName(folder: string): string {
  const words = folder.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, MAX_NAME_LENGTH).replace(/-$/, '') || 'skill'
}

function report(problems: Problem[], file: string, line: number, message: string, remedy: string): void {
  problems.push({ file, line, code: 'skill.form', level: 'warning', message, remedy })
}
