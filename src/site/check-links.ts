/** Reports links and images that lead nowhere. */
import type { Problem } from '../contract/problem.ts'
import { isStaticFile } from './assets.ts'
import { createClosestFinder } from './closest.ts'
import { type LinkSite, resolveLink } from './links.ts'
import { quote } from './problems.ts'
import { isPageFile } from './routes.ts'
import type { ScannedLink } from './scan-page.ts'

export interface LinkCheck {
  site: LinkSite
  /** Links by file, in pages and snippets. */
  links: ReadonlyMap<string, readonly ScannedLink[]>
  snippets: ReadonlySet<string>
  /** Every file of the docs folder, ignored ones too. */
  files: { has(path: string): boolean }
}

/** Anchors on other pages are not checked: that needs the rendered page. */
export function checkLinks(problems: Problem[], check: LinkCheck): void {
  const { site } = check
  const closestPage = createClosestFinder(site.pages.keys())
  const closestAsset = createClosestFinder([...site.assets].map((path) => `/${path}`))
  for (const [file, links] of check.links) {
    const isSnippet = check.snippets.has(file)
    for (const link of links) {
      // What stands in braces is known only when the page is rendered; a relative link in a snippet depends on its user.
      if (/[{}$]/.test(link.href) || (isSnippet && !link.href.startsWith('/'))) continue
      const target = resolveLink(site, file, link.href)
      if (target.kind === 'unsafe') problems.push(unsafeLink(file, link))
      else if (target.kind === 'missing') {
        const closest = link.use === 'image' || isStaticFile(target.path) ? closestAsset : closestPage
        problems.push(missingLink(check, file, link, target.path, closest.find(target.path)))
      }
    }
  }
}

function missingLink(
  check: LinkCheck,
  file: string,
  link: ScannedLink,
  path: string,
  closest: string | null,
): Problem {
  const onDisk = [path.slice(1), `${path.slice(1)}.mdx`, `${path.slice(1)}.md`].find((name) =>
    check.files.has(name),
  )
  const what = link.use === 'image' ? 'The image' : 'The link'
  const place = { file, line: link.line, level: 'warning' as const }
  if (onDisk !== undefined) {
    return {
      ...place,
      code: link.use === 'image' ? 'image.missing' : 'link.missing',
      message: `${what} ${quote(link.href)} leads to ${onDisk}, which is not part of the site.`,
      remedy: remedyOnDisk(onDisk),
    }
  }
  return {
    ...place,
    code: link.use === 'image' ? 'image.missing' : 'link.missing',
    message: `${what} ${quote(link.href)} leads nowhere.`,
    remedy: closest
      ? `Did you mean ${closest}?`
      : link.use === 'image'
        ? 'Add the file, or correct its path.'
        : 'Correct the path, or add a page or a redirect there.',
  }
}

function remedyOnDisk(path: string): string {
  if (isPageFile(path)) return 'Link to a page: this file is a snippet or left out by the ignore rules.'
  if (isStaticFile(path)) return 'Let the file in with a line that begins with ! in .mintignore.'
  return 'Link to a file of a type that is served, or to its place in the repository.'
}

function unsafeLink(file: string, link: ScannedLink): Problem {
  return {
    file,
    line: link.line,
    code: 'link.unsafe',
    level: 'warning',
    message: `The link ${quote(link.href)} runs script instead of leading somewhere.`,
    remedy: 'Link to an address; put behaviour into a component.',
  }
}
