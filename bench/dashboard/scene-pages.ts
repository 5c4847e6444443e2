/** Selects pages for the scripted agent: in the navigation, with frontmatter and a paragraph of prose. */

import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { allPages, readOutline } from '../../src/features/agent/edit/navigation-outline.ts'
import { readTextFile } from '../../src/site/text.ts'

export interface ScenePage {
  file: string
  /** Path on the site, with a leading slash. */
  route: string
  title: string
  /** Frontmatter with its fences. Occurs once in the file. */
  head: string
  /** One line of prose. Occurs once in the file. */
  paragraph: string
  /** Text in the navigation; `within` contains the labels of its entry, outermost first. */
  text: string
  within: readonly string[]
}

const WANTED = 8
/** Limits in characters: long enough to have content, short enough for its diff to be read. */
const [SHORTEST, LONGEST] = [1200, 16_000]

/** Selects pages in navigation order, spread apart where possible. Throws if the folder has too few. */
export async function choosePages(folder: string): Promise<ScenePage[]> {
  await using tree = await openFolderTree(folder)
  const found: ScenePage[] = []
  for (const { text, location: place, entry } of allPages(await readOutline(tree))) {
    const route = `/${text.replace(/^\//, '')}`
    const file = `${route.slice(1)}.mdx`
    if (place === null || !tree.files.has(file) || found.some((page) => page.file === file)) continue
    const page = read(await readTextFile(tree, file))
    if (page !== null) found.push({ file, route, text, within: entry.labels, ...page })
    if (found.length === WANTED * 3) break
  }
  const chosen = found.filter((_, index) => index % 3 === 0 || found.length < WANTED * 3).slice(0, WANTED)
  if (chosen.length < 4) throw new Error(`${folder} has too few pages with prose in its navigation`)
  // Use pages twice if the folder has few.
  return Array.from({ length: WANTED }, (_, index) => chosen[index % chosen.length] as ScenePage)
}

function read(text: string): Pick<ScenePage, 'title' | 'head' | 'paragraph'> | null {
  if (text.length < SHORTEST || text.length > LONGEST) return null
  const [head] = /^---\n[\s\S]*?\n---\n/.exec(text) ?? []
  const title = /^title:\s*(.+)$/m.exec(head ?? '')?.[1]?.replace(/^["']|["']$/g, '')
  const paragraph = text
    .slice(head?.length ?? 0)
    .split('\n')
    .find((line) => /^[A-Z][^<>{}|`]{80,320}\.$/.test(line) && text.split(line).length === 2)
  return head === undefined || title === undefined || paragraph === undefined
    ? null
    : { title, head, paragraph }
}
