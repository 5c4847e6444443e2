/** The pages of one site version, as tools read them: what is published or built, never its source. */
import {
  type ListedPage,
  type ListedSite,
  PAGE_LIST_FILE,
  readPageList,
} from '../../render/outputs/page-list.ts'
import { SKILLS_FOLDER, SKILLS_INDEX } from '../../render/outputs/skill-files.ts'
import type { SiteFileReader } from './site-files.ts'
import { openSiteSearch, type SiteSearch } from './site-search.ts'

export interface SiteDocs {
  site: ListedSite
  /** In reading order. */
  pages: readonly ListedPage[]
  byRoute: ReadonlyMap<string, ListedPage>
  /** By the name of the Markdown twin. */
  byFile: ReadonlyMap<string, ListedPage>
  search: SiteSearch
  /** Instructions for agents that the site brings. */
  skills: readonly SiteSkill[]
  /** Null when the version has no such text, or one that nobody reads. */
  markdown(page: ListedPage): Promise<string | null>
  /** A file of a skill, by a name in `files`; null when it is missing or too large. */
  skillFile(name: string): Promise<Uint8Array | null>
  /** Bytes of memory that it takes, more or less. */
  bytes: number
}

export interface SiteSkill {
  name: string
  description: string
  /** Names in the version, the one that says what to do first. */
  files: readonly string[]
}

/** Of a list of pages: some 100,000. Whoever answers holds it. */
const MOST_LIST_BYTES = 32 << 20
/** Of one page. */
export const MOST_PAGE_BYTES = 4 << 20
/** A list in memory against its text. */
const LIST_WEIGHT = 4

/** Null for a version without a list of its pages, as those that were made before there was one. */
export async function openSiteDocs(files: SiteFileReader): Promise<SiteDocs | null> {
  const bytes = await files.read(PAGE_LIST_FILE, MOST_LIST_BYTES)
  const list = bytes === null ? null : await readPageList(Buffer.from(bytes).toString('utf8'))
  if (bytes === null || list === null) return null
  const markdown = async ({ file }: ListedPage) => {
    const text = await files.read(file, MOST_PAGE_BYTES)
    return text === null ? null : Buffer.from(text).toString('utf8')
  }
  return {
    ...list,
    markdown,
    skills: await readSkillIndex(files),
    skillFile: (name) => files.read(name, MOST_PAGE_BYTES),
    byRoute: new Map(list.pages.map((page) => [page.route, page])),
    byFile: new Map(list.pages.map((page) => [page.file, page])),
    search: openSiteSearch(files, { pages: list.pages, markdown }),
    bytes: bytes.byteLength * LIST_WEIGHT,
  }
}

async function readSkillIndex(files: SiteFileReader): Promise<SiteSkill[]> {
  const bytes = await files.read(SKILLS_INDEX, MOST_PAGE_BYTES)
  if (bytes === null) return []
  return skillsIn(Buffer.from(bytes).toString('utf8')).map((skill) => ({
    ...skill,
    files: skill.files.map((file) => `${SKILLS_FOLDER}/${skill.name}/${file}`),
  }))
}

/** None in a text that is no such list: a bundle may be anybody's. */
function skillsIn(text: string): SiteSkill[] {
  try {
    const { skills } = JSON.parse(text) as { skills: Partial<SiteSkill>[] }
    return skills.filter(
      (skill): skill is SiteSkill =>
        typeof skill.name === 'string' &&
        typeof skill.description === 'string' &&
        Array.isArray(skill.files) &&
        skill.files.every((file) => typeof file === 'string'),
    )
  } catch {
    return []
  }
}
