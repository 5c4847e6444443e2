/**
 * Writes skills to the locations where agents search for them: `.well-known/skills`, with an index of the
 * files of each skill, and `.well-known/agent-skills`, with an index of the digests, as specified by skill
 * discovery version 0.2.
 */
import type { FileTree } from '../../base/files/file-tree.ts'
import { sha256 } from '../../base/hash.ts'
import type { Site } from '../../site/model.ts'
import { safePath } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
export const SKILLS_FOLDER = '.well-known/skills'
/**
 * Contains `{ skills: [{ name, description, files }] }`. The files of a skill are in a folder with its name.
 */
export const SKILLS_INDEX = `${SKILLS_FOLDER}/index.json`
const MAIN = 'SKILL.md'

export async function writeSkills(site: Site, tree: FileTree, files: SiteFiles): Promise<void> {
  if (site.skills.length === 0) return
  const listed: object[] = []
  const digested: object[] = []
  for (const { name, description, folder, main, others } of site.skills) {
    const bytes = await tree.read(`${folder}/${main}`)
    const paths = others.map((one) => [one, safePath(one)] as const)
    await files.add(`${SKILLS_FOLDER}/${name}/${MAIN}`, bytes)
    await files.add(`.well-known/agent-skills/${name}/${MAIN}`, bytes)
    for (const [one, path] of paths)
      await files.add(`${SKILLS_FOLDER}/${name}/${path}`, await tree.read(`${folder}/${one}`))
    listed.push({ name, description, files: [MAIN, ...paths.map(([, path]) => path)] })
    const url = `${name}/${MAIN}`
    digested.push({ name, type: 'skill-md', description, url, digest: `sha256:${sha256(bytes)}` })
  }
  await files.add(SKILLS_INDEX, json({ skills: listed }))
  await files.add('.well-known/agent-skills/index.json', json({ $schema: SCHEMA, skills: digested }))
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
