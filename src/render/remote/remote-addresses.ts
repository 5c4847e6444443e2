/**
 * Files that a page would fetch from other servers. An air-gapped bundle makes no such requests: it contains copies
 * of these files, and URLs without a copy are removed and reported.
 */
import type { Problem } from '../../base/errors/problem.ts'
import { isRemote } from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'

/** Returns the remote URLs in a style sheet. */
export function listStyleSheetUrls(css: string): string[] {
  const found = new Set<string>()
  rewriteCssUrls(css, (url) => {
    if (isRemote(url)) found.add(url)
    return url
  })
  return [...found]
}

/** `fault` is the reason why there is no copy; null if none was attempted. */
export function createRemoteProblem(file: string, url: string, fault: string | null): Problem {
  const why =
    fault === null
      ? 'is on another server, which readers of an air-gapped bundle cannot reach'
      : `is on another server and could not be brought into the bundle (${fault.replace(/\.$/, '')})`
  return {
    file,
    line: null,
    code: 'asset.remote',
    level: 'warning',
    message: `${url} ${why}; the place stays empty.`,
    remedy: 'Put the file into the docs folder and name it by its path.',
  }
}
