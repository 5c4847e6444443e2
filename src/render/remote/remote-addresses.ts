/**
 * Files that a page would fetch from other servers. An air-gapped bundle contains copies of them. URLs
 * without a copy are removed and reported.
 */
import type { Problem } from '../../base/errors/problem.ts'
import { isRemote } from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'

export function listStyleSheetUrls(css: string): string[] {
  const found = new Set<string>()
  rewriteCssUrls(css, (url) => {
    if (isRemote(url)) found.add(url)
    return url
  })
  return [...found]
}

/** `fault` is the reason for the missing copy; null if no download was attempted. */
export function createRemoteProblem(file: string, url: string, fault: string | null): Problem {
  const why =
    fault === null
      ? 'is on another server, which readers of an air-gapped bundle cannot reach'
      : `is on another server and could not be copied into the bundle (${fault.replace(/\.$/, '')})`
  return {
    file,
    line: null,
    code: 'asset.remote',
    level: 'warning',
    message: `${url} ${why}. It is not shown.`,
    remedy: 'Add the file to the docs folder and use its path.',
  }
}
