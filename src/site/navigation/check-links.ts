/** Reports links and images whose target does not exist. */
import type { Problem } from '../../base/errors/problem.ts'
import { isStaticFile } from '../assets.ts'
import type { ScannedLink } from '../pages/scan-page.ts'
import { quote } from '../problems.ts'
import { type ClosestFinder, createClosestFinder } from './closest.ts'
import { type LinkSite, resolveLink } from './links.ts'
import { isPageFile } from './routes.ts'

export interface LinkCheck {
  site: LinkSite
  snippets: ReadonlySet<string>
  /** All files of the docs folder, including ignored ones. */
  files: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>
}

export interface LinkChecker {
  check(file: string, links: readonly ScannedLink[]): Problem[]
}

/** Anchors on other pages are not checked, because that requires the rendered page. */
export function createLinkChecker(scope: LinkCheck): LinkChecker {
  const { site } = scope
  // Created on the first missing link, because most checks find none.
  let closestPage: ClosestFinder | null = null
  let closestAsset: ClosestFinder | null = null
  const nearest = (use: ScannedLink['use'], path: string) => {
    if (use === 'image' || isStaticFile(path)) {
      closestAsset ??= createClosestFinder([...site.assets].map((asset) => `/${asset}`))
      return closestAsset.find(path)
    }
    closestPage ??= createClosestFinder(site.pages.keys())
    return closestPage.find(path)
  }
  return {
    check(file, links) {
      const isSnippet = scope.snippets.has(file)
      return links.flatMap((link) => {
        // Skips expressions, whose value is known only when rendered, and relative links in a snippet, which depend on
        // the importing page.
        if (/[{}$]/.test(link.href) || (isSnippet && !link.href.startsWith('/'))) return []
        const target = resolveLink(site, file, link.href)
        if (link.isSpaced) {
          const near = target.kind === 'missing' ? nearest(link.use, target.path) : null
          return createSpacedLinkProblem(file, link, near)
        }
        if (target.kind === 'unsafe') return createUnsafeLinkProblem(file, link)
        if (target.kind !== 'missing') return []
        return createMissingLinkProblem(scope, file, link, target.path, nearest(link.use, target.path))
      })
    },
  }
}

function createMissingLinkProblem(
  check: LinkCheck,
  file: string,
  link: ScannedLink,
  path: string,
  closest: string | null,
): Problem {
  const onDisk = [path.slice(1), `${path.slice(1)}.mdx`, `${path.slice(1)}.md`].find((name) =>
    check.files.has(name),
  )
  const what = link.use === 'link' ? 'The link' : isPicture(path) ? 'The image' : 'The file'
  const position = { file, line: link.line, level: 'warning' as const }
  if (onDisk !== undefined) {
    return {
      ...position,
      code: link.use === 'image' ? 'image.missing' : 'link.missing',
      message: `${what} ${quote(link.href)} points to ${onDisk}, which is not part of the site.`,
      remedy: existingFileRemedy(onDisk),
    }
  }
  return {
    ...position,
    code: link.use === 'image' ? 'image.missing' : 'link.missing',
    message:
      link.use === 'link'
        ? `The link ${quote(link.href)} does not match any page or file.`
        : `${what} ${quote(link.href)} does not exist.`,
    remedy: closest
      ? `Did you mean ${closest}?`
      : link.use === 'image'
        ? 'Add the file, or correct the path.'
        : 'Correct the path, or add the page or a redirect.',
  }
}

/**
 * Treats a `src` as an image unless its extension indicates another type, because scripts, videos and iframes also have a
 * `src`.
 */
function isPicture(path: string): boolean {
  return !isStaticFile(path) || IMAGE_FILE.test(path)
}

const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i

function createSpacedLinkProblem(file: string, link: ScannedLink, near: string | null): Problem {
  const what = link.use === 'image' ? 'an image' : 'a link'
  const written = near !== null && !/\s/.test(near) ? near : `<${link.href}>`
  return {
    file,
    line: link.line,
    code: 'link.spaces',
    level: 'warning',
    message: `The path ${quote(link.href)} contains spaces, so Markdown shows it as text instead of ${what}.`,
    remedy: `Write the path as (${written}).`,
  }
}

function existingFileRemedy(path: string): string {
  if (isPageFile(path)) return 'Link to a page. This file is a snippet or excluded by an ignore rule.'
  if (isStaticFile(path)) return 'Add a line to .mintignore that begins with ! and includes the file.'
  return 'Link to a file of a supported type, or to the file in your repository.'
}

function createUnsafeLinkProblem(file: string, link: ScannedLink): Problem {
  return {
    file,
    line: link.line,
    code: 'link.unsafe',
    level: 'warning',
    message: `The link ${quote(link.href)} contains a script, which is not allowed.`,
    remedy: 'Link to a URL or path, and move the code to a component.',
  }
}
