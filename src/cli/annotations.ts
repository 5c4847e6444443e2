/** Formats problems as annotations that forges show next to changed lines. */

import type { Problem, ProblemLevel } from '../base/errors/problem.ts'
import { sha256 } from '../base/hash.ts'

const GITHUB_LEVELS: Record<ProblemLevel, string> = { error: 'error', warning: 'warning', hint: 'notice' }
const GITLAB_LEVELS: Record<ProblemLevel, string> = { error: 'critical', warning: 'minor', hint: 'info' }

/**
 * Returns GitHub Actions workflow commands, one per line. `folder` is the path of the docs folder relative to the
 * repository, or '' for its root.
 */
export function githubAnnotations(problems: readonly Problem[], folder: string): string[] {
  return problems.map(({ file, line, code, level, message, remedy }) => {
    const annotation = {
      file: pathInRepository(folder, file),
      ...(line === null ? {} : { line }),
      title: code,
    }
    const properties = Object.entries(annotation).map(
      ([name, value]) => `${name}=${escapeGithubProperty(String(value))}`,
    )
    return `::${GITHUB_LEVELS[level]} ${properties.join(',')}::${escapeGithubText(`${message} ${remedy}`)}`
  })
}

function escapeGithubText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeGithubProperty(text: string): string {
  return escapeGithubText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

export interface CodeQualityIssue {
  description: string
  check_name: string
  /** Identical for the same problem in different commits, even if its line changes. */
  fingerprint: string
  severity: string
  location: { path: string; lines: { begin: number } }
}

/** Returns a GitLab code quality report. For `folder`, see `githubAnnotations`. */
export function codeQualityReport(problems: readonly Problem[], folder: string): CodeQualityIssue[] {
  const seen = new Map<string, number>()
  return problems.map(({ file, line, code, level, message, remedy }) => {
    const path = pathInRepository(folder, file)
    const identity = JSON.stringify([path, code, message])
    const count = (seen.get(identity) ?? 0) + 1
    seen.set(identity, count)
    return {
      description: `${message} ${remedy}`,
      check_name: code,
      fingerprint: sha256(`${identity} ${count}`),
      severity: GITLAB_LEVELS[level],
      location: { path, lines: { begin: line ?? 1 } },
    }
  })
}

function pathInRepository(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`
}
