/** Pages of a site version for MCP tools. Contains only published or built content, never the source. */
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
  /** Keyed by the file name of the Markdown twin. */
  byFile: ReadonlyMap<string, ListedPage>
  search: SiteSearch
  /** The site's instructions for agents. */
  skills: readonly SiteSkill[]
  /** Returns null if the version has no text of the page or the text is too large. */
  markdown(page: ListedPage): Promise<string | null>
  skillFile(name: string): Promise<Uint8Array | null>
  /** Approximate memory use in bytes. */
  bytes: number
}

export interface SiteSkill {
  name: string
  description: string
  /** File names in the version, starting with the main instructions. */
  files: readonly string[]
}

/** Maximum size of a page list, enough for about 100,000 pages. The whole list is in memory. */
const MAX_LIST_BYTES = 32 << 20
export const MAX_MARKDOWN_PAGE_BYTES = 4 << 20
/** Ratio of a list's memory use to the size of its text. */
const LIST_MEMORY_FACTOR = 4

/** Returns null for versions built before page lists existed. */
export async function openSiteDocs(files: SiteFileReader): Promise<SiteDocs | null> {
  const bytes = await files.read(PAGE_LIST_FILE, MAX_LIST_BYTES)
  const list = bytes === null ? null : await readPageList(Buffer.from(bytes).toString('utf8'))
  if (bytes === null || list === null) return null
  const markdown = async ({ file }: ListedPage) => {
    const text = await files.read(file, MAX_MARKDOWN_PAGE_BYTES)
    return text === null ? null : Buffer.from(text).toString('utf8')
  }
  return {
    ...list,
    markdown,
    skills: await readSkillIndex(files),
    skillFile: (name) => files.read(name, MAX_MARKDOWN_PAGE_BYTES),
    byRoute: new Map(list.pages.map((page) => [page.route, page])),
    byFile: new Map(list.pages.map((page) => [page.file, page])),
    search: openSiteSearch(files, { pages: list.pages, markdown }),
    bytes: bytes.byteLength * LIST_MEMORY_FACTOR,
  }
}

async function readSkillIndex(files: SiteFileReader): Promise<SiteSkill[]> {
  const bytes = await files.read(SKILLS_INDEX, MAX_MARKDOWN_PAGE_BYTES)
  if (bytes === null) return []
  return parseSkills(Buffer.from(bytes).toString('utf8')).map((skill) => ({
    ...skill,
    files: skill.files.map((file) => `${SKILLS_FOLDER}/${skill.name}/${file}`),
  }))
}

/** Returns an empty list for an invalid index, because a bundle may come from an untrusted source. */
function parseSkills(text: string): SiteSkill[] {
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
