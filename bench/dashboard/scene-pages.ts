/** Pages of a docs folder that the scripted agent works on: in the navigation, with frontmatter and a paragraph of prose. */

import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { allPages, readOutline } from '../../src/features/agent/edit/navigation-outline.ts'
import { readTextFile } from '../../src/site/text.ts'

export interface ScenePage {
  file: string
  /** Path on the site, with a slash before it. */
  route: string
  title: string
  /** Frontmatter with its fences: stands once in the file. */
  head: string
  /** One line of prose that stands once in the file. */
  paragraph: string
  /** As the navigation names it, and the labels of its entry from the outside in. */
  text: string
  within: readonly string[]
}

const WANTED = 8
/** Characters of a page: not so short that nothing is on it, nor so long that nobody would read its change. */
const [SHORTEST, LONGEST] = [1200, 16_000]

/** In the order of the navigation, some apart from each other. Throws when the folder has too few. */
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
  // Where a folder has few pages, some are worked on twice.
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
