/**
 * Texts that report a preview to its forge: a message for the commit status, and the pull request comment.
 */
import type { ChangesRow } from '../../../database/schema/hosting.ts'
import type { DeploymentRow } from '../deploy/store.ts'
import type { PreviewRow, RemovalReason } from './previews.ts'

const MAX_NAMED_PAGES = 20
const MAX_ERROR_CHARACTERS = 400

export interface ReportedPreview {
  preview: Pick<PreviewRow, 'removed_because'>
  deployment: Pick<
    DeploymentRow,
    'status' | 'revision' | 'changes' | 'page_count' | 'warning_count' | 'error'
  >
  url: string
  detailsUrl: string
}

const REMOVED: Record<RemovalReason, string> = {
  asked: 'somebody removed it',
  gone: 'its branch is gone',
  merged: 'the pull request is merged',
  closed: 'the pull request is closed',
  expired: 'its branch was not pushed to for a while',
  crowded: 'newer previews replaced it',
  off: 'previews were turned off',
}

export function commentText({ preview, deployment, url, detailsUrl }: ReportedPreview): string {
  if (preview.removed_because !== null)
    return `**Docs preview:** removed, because ${REMOVED[preview.removed_because]}.`
  const { status, revision, changes, warning_count: problems, error } = deployment
  const commit = revision === null ? '' : ` of ${code(revision.slice(0, 10))}`
  if (status === 'queued' || status === 'running')
    return `**Docs preview:** building${commit}. It will be at ${url}`
  if (status === 'failed')
    return `**Docs preview:** failed${commit}. [Log](${detailsUrl})\n\n> ${code(error ?? '')}`
  const found = problems === 0 ? '' : ` · [${pluralize(problems, 'problem')}](${detailsUrl})`
  return [
    `**Docs preview:** ${url}`,
    `Built${commit} · ${pluralize(deployment.page_count, 'page')}${found} · [Details](${detailsUrl})`,
    ...(changes === null ? [] : [changesText(changes, url)]),
  ].join('\n\n')
}

function changesText(changes: ChangesRow, url: string): string {
  const { added, changed, removed, pages } = changes
  const all = added + changed + removed
  if (all === 0) return 'No pages differ from the live site.'
  const lines = pages.slice(0, MAX_NAMED_PAGES).map(({ path, change }) => {
    const name = code(path)
    return `- ${change} ${change === 'removed' ? name : `[${name}](${url}${escapePath(path)})`}`
  })
  const rest = all - lines.length
  const counts = Object.entries({ added, changed, removed })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
  return [
    `Compared to the live site: ${counts.join(', ')}.`,
    [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n'),
  ].join('\n\n')
}

/** Escapes the path, so that page names by authors cannot end the surrounding link or code span. */
function escapePath(path: string): string {
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replace(
        /[()']/g,
        (sign) => `%${sign.charCodeAt(0).toString(16)}`,
      ),
    )
    .join('/')
}

function code(text: string): string {
  const line = text.replace(/[`\s]+/g, ' ').trim()
  return `\`${line.length > MAX_ERROR_CHARACTERS ? `${line.slice(0, MAX_ERROR_CHARACTERS)}…` : line || ' '}\``
}

function pluralize(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
