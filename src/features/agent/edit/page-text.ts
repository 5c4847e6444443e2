/** A rendered page as plain text. */
import type { RenderedBody } from '../../../render/page/body.ts'
import type { SitePage } from '../../../site/model.ts'
import { problemLines } from '../check/tell-problems.ts'

export function pageText(page: SitePage, body: RenderedBody | undefined): string {
  const parts = [`# ${page.title}`, page.description ?? '']
  for (const { title, text } of body?.sections ?? []) parts.push(title === null ? '' : `## ${title}`, text)
  parts.push(`(Address ${page.route}. ${placeOf(page)})`)
  const problems = (body?.problems ?? []).filter(({ level }) => level !== 'hint')
  if (problems.length > 0) parts.push(`Problems of this page:\n${problemLines(problems)}`)
  return parts.filter((part) => part !== '').join('\n\n')
}

function placeOf({ placements }: SitePage): string {
  const [first] = placements
  if (first === undefined) return 'No menu shows it.'
  return first.groups.length === 0 ? 'The menu shows it.' : `In the menu under ${first.groups.join(' › ')}.`
}
